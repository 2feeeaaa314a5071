import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { McpProgress } from './mcpProgress'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function begin(send: (said: { progress: number; message: string }) => Promise<void>) {
  const failures: unknown[] = []
  const progress = new McpProgress({ send, failed: (thrown) => failures.push(thrown), message: 'Working' })
  return { progress, failures }
}

test('is told soon, then every ten seconds in the last words given, with a number that grows, until it is over', () => {
  const said: { progress: number; message: string }[] = []
  const { progress } = begin(async (each) => void said.push(each))
  vi.advanceTimersByTime(1000)
  expect(said).toEqual([{ progress: 0.5, message: 'Working' }])
  progress.say('Waiting for the prompt')
  vi.advanceTimersByTime(20_000)
  expect(said.slice(1)).toEqual([
    { progress: 10.5, message: 'Waiting for the prompt' },
    { progress: 20.5, message: 'Waiting for the prompt' }
  ])
  progress.close()
  vi.advanceTimersByTime(60_000)
  expect(said).toHaveLength(3)
})

test('a client that cannot be told any more does not disturb the call', async () => {
  const { progress, failures } = begin(() => Promise.reject(new Error('gone')))
  await vi.advanceTimersByTimeAsync(1000)
  expect(failures).toEqual([new Error('gone')])
  progress.close()
})

test('a call that is over at once is never spoken of', () => {
  const send = vi.fn(async () => undefined)
  begin(send).progress.close()
  vi.advanceTimersByTime(60_000)
  expect(send).not.toHaveBeenCalled()
})
