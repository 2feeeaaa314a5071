import { expect, test } from 'vitest'
import { coalesced } from './coalesced'

test('calls that come during a run share one further run', async () => {
  const releases: (() => void)[] = []
  const run = coalesced(() => new Promise<void>((resolve) => releases.push(resolve)))
  const first = run()
  const rest = [run(), run(), run()]
  expect(releases).toHaveLength(1)
  releases[0]?.()
  await first
  await Promise.resolve()
  releases[1]?.()
  await Promise.all(rest)
  expect(releases).toHaveLength(2)
})

test('a run that fails does not keep later ones from running', async () => {
  let runs = 0
  const run = coalesced(async () => {
    runs += 1
    if (runs === 1) throw new Error('once')
  })
  await expect(run()).rejects.toThrow('once')
  await run()
  expect(runs).toBe(2)
})
