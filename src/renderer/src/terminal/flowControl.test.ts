import { expect, test } from 'vitest'
import { FlowControl } from './flowControl'

test('the host is paused above 100 kB and resumed below 5 kB, once each', () => {
  const asked: string[] = []
  const flow = new FlowControl({ pause: () => asked.push('pause'), resume: () => asked.push('resume') })
  flow.given(100_000)
  expect(asked).toEqual([])
  flow.given(1)
  flow.given(50_000)
  expect(asked).toEqual(['pause'])
  flow.parsed(145_000)
  expect(asked).toEqual(['pause'])
  flow.parsed(5_000)
  expect(asked).toEqual(['pause', 'resume'])
  flow.parsed(1)
  expect(flow.idle).toBe(true)
  expect(asked).toEqual(['pause', 'resume'])
})
