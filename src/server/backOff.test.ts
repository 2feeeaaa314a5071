import { expect, test } from 'vitest'
import { BackOff } from './backOff'

test('a few wrong tokens cost nothing, more cost more, up to a bound', () => {
  const backOff = new BackOff()
  const delays = Array.from({ length: 40 }, () => backOff.failedMs(1000))
  expect(delays.slice(0, 10).every((delay) => delay === 0)).toBe(true)
  expect(delays[10]).toBeGreaterThan(0)
  expect(delays[39]).toBe(200)
})

test('failures are forgiven with time', () => {
  const backOff = new BackOff()
  for (let count = 0; count < 20; count++) backOff.failedMs(0)
  expect(backOff.failedMs(60_000)).toBe(0)
})

test('a flood of guesses is not held in memory', () => {
  const backOff = new BackOff()
  const held = Array.from({ length: 1000 }, () => backOff.failedMs(0)).filter((delay) => delay > 0)
  expect(held.length).toBeLessThanOrEqual(50)
})
