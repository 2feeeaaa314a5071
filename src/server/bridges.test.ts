import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Bridges } from './bridges'

let gone: string[]
let bridges: Bridges

beforeEach(() => {
  vi.useFakeTimers()
  gone = []
  bridges = new Bridges({ onGone: (bridge) => gone.push(bridge), graceMs: 5000 })
})
afterEach(() => {
  bridges.close()
  vi.useRealTimers()
})

test('a bridge whose stream ended is gone once the time of grace is over, and only once', () => {
  const detach = bridges.attach('owner/one')
  vi.advanceTimersByTime(60_000)
  expect([gone, bridges.has('owner/one')]).toEqual([[], true])
  detach()
  vi.advanceTimersByTime(4000)
  expect([gone, bridges.has('owner/one')]).toEqual([[], false])
  vi.advanceTimersByTime(60_000)
  expect(gone).toEqual(['owner/one'])
})

test('a bridge that comes back in time was never gone, also when its streams overlap', () => {
  const first = bridges.attach('owner/one')
  const second = bridges.attach('owner/one')
  first()
  vi.advanceTimersByTime(60_000)
  second()
  vi.advanceTimersByTime(4000)
  bridges.attach('owner/one')
  vi.advanceTimersByTime(60_000)
  expect(gone).toEqual([])
})

test('bridges that an earlier host knew have the same time to show themselves', () => {
  bridges.attach('owner/here')
  bridges.expect(['owner/here', 'owner/lost', 'owner/late'])
  vi.advanceTimersByTime(4000)
  bridges.attach('owner/late')
  vi.advanceTimersByTime(60_000)
  expect(gone).toEqual(['owner/lost'])
})
