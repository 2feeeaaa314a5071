import { expect, test } from 'vitest'
import type { Size } from '../../shared/terminal'
import { LatestSize } from './latestSize'

const sized = (rows: number): Size => ({ rows, cols: 80 })

/** Sizes are applied one by one, each when `next` lets it succeed or fail. */
function applier() {
  const applied: number[] = []
  const waiting: ((failure?: Error) => void)[] = []
  const sizes = new LatestSize(({ rows }) => {
    applied.push(rows)
    return new Promise((resolve, reject) => waiting.push((failure) => (failure ? reject(failure) : resolve())))
  })
  return { applied, sizes, next: (failure?: Error) => waiting.shift()?.(failure) }
}

test('while a size is applied only the newest of those that wait is kept', async () => {
  const { applied, sizes, next } = applier()
  const first = sizes.want(sized(1))
  const others = [2, 3, 4].map((rows) => sizes.want(sized(rows)))
  next()
  await first
  await expect.poll(() => applied).toEqual([1, 4])
  next()
  await Promise.all(others)
  const last = sizes.want(sized(5))
  expect(applied).toEqual([1, 4, 5])
  next()
  await last
})

test('a size that fails is told to its own caller, and the one that waits is applied', async () => {
  const { applied, sizes, next } = applier()
  const refused = expect(sizes.want(sized(1))).rejects.toThrow('refused')
  const waits = sizes.want(sized(2))
  next(new Error('refused'))
  await refused
  await expect.poll(() => applied).toEqual([1, 2])
  next()
  await waits
})

test('a size that failed after one that was applied does not take that back', async () => {
  const { sizes, next } = applier()
  const first = sizes.want(sized(1))
  const refused = expect(sizes.want(sized(2))).rejects.toThrow('refused')
  next()
  await first
  await new Promise(setImmediate)
  next(new Error('refused'))
  await refused
  const again = sizes.want(sized(3))
  next()
  await again
})
