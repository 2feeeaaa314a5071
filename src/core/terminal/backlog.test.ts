import { describe, expect, test } from 'vitest'
import { Backlog, WaitingBytes } from './backlog'

const MEGABYTE = 1_048_576

function backlog(bytes: number, { all = new WaitingBytes(), isResyncLossy = true } = {}): Backlog {
  const made = new Backlog(all, { isResyncLossy })
  made.pushed(bytes)
  return made
}

function parse(made: Backlog, { pieces, bytes, ms }: { pieces: number; bytes: number; ms: number }): void {
  for (let piece = 0; piece < pieces; piece++) made.parsed(bytes, ms)
}

describe('where asking for the screen afresh would lose output', () => {
  test('a backlog is worked off as long as one terminal may keep so much', () => {
    expect(backlog(32 * MEGABYTE).isTooLong).toBe(false)
    expect(backlog(32 * MEGABYTE + 1).isTooLong).toBe(true)
  })

  test('all terminals together keep no more than the host can spare, and short ones do not pay for it', () => {
    const all = new WaitingBytes()
    const long = Array.from({ length: 5 }, () => backlog(25 * MEGABYTE, { all }))
    const short = backlog(4 * MEGABYTE, { all })
    expect(long.some(({ isTooLong }) => isTooLong)).toBe(true)
    expect(short.isTooLong).toBe(false)
    for (const one of long.slice(1)) one.clear()
    expect(long[0]?.isTooLong).toBe(false)
    expect(all.total).toBe(29 * MEGABYTE)
  })

  test('output that is slow to parse is given up before its screen is seconds old', () => {
    const slow = backlog(9 * MEGABYTE)
    parse(slow, { pieces: 100, bytes: 1000, ms: 2 })
    expect(slow.isTooLong).toBe(false)
    parse(slow, { pieces: 100, bytes: 1000, ms: 2 })
    expect(slow.isTooLong).toBe(true)
  })

  test('a pause of the process in the middle of a piece does not make its output slow', () => {
    const once = backlog(30 * MEGABYTE)
    parse(once, { pieces: 500, bytes: 16_384, ms: 0.5 })
    once.parsed(16_384, 200)
    once.pushed(30 * MEGABYTE - once.bytes)
    expect(once.isTooLong).toBe(false)
  })

  test('what was slow once is forgotten when it is fast again, in whatever pieces it comes', () => {
    const once = backlog(20 * MEGABYTE)
    parse(once, { pieces: 200, bytes: 300, ms: 2 })
    expect(once.isTooLong).toBe(true)
    parse(once, { pieces: 1000, bytes: 300, ms: 0.01 })
    parse(once, { pieces: 500, bytes: 16_384, ms: 0.5 })
    once.pushed(20 * MEGABYTE - once.bytes)
    expect(once.isTooLong).toBe(false)
  })
})

test('where the program is held back instead, its backlog is kept short', () => {
  expect(backlog(8 * MEGABYTE, { isResyncLossy: false }).isTooLong).toBe(false)
  expect(backlog(8 * MEGABYTE + 1, { isResyncLossy: false }).isTooLong).toBe(true)
})

test.each([true, false])(
  'many short backlogs together stay within what the host can spare (lossy: %s)',
  (isResyncLossy) => {
    const all = new WaitingBytes()
    const many = Array.from({ length: 200 }, () => new Backlog(all, { isResyncLossy }))
    for (let round = 0; round < 80; round++) {
      for (const one of many) if (!one.isTooLong) one.pushed(100_000)
    }
    expect(all.total).toBeLessThan(150 * MEGABYTE)
    expect(all.total).toBeGreaterThan(100 * MEGABYTE)
    for (const one of many.slice(1)) one.clear()
    const [last] = many
    last?.pushed(5 * MEGABYTE)
    expect(last?.isTooLong).toBe(false)
    last?.clear()
    expect(all).toMatchObject({ total: 0, emulators: 0 })
  }
)

test('where all have little, what failed is not asked for again before that is worked off', () => {
  const all = new WaitingBytes()
  const many = Array.from({ length: 200 }, () => backlog(MEGABYTE, { all }))
  expect(many[0]).toMatchObject({ isTooLong: true, isShort: false })
  many[0]?.parsed(0.8 * MEGABYTE, 1)
  expect(many[0]).toMatchObject({ isTooLong: false, isShort: true })
})

test('a restored screen that waits to be parsed is no output that is late', () => {
  const all = new WaitingBytes()
  const restored = backlog(40 * MEGABYTE, { all })
  restored.restored(50 * MEGABYTE)
  expect(restored).toMatchObject({ bytes: 50 * MEGABYTE, isTooLong: false })
  expect(all.total).toBe(0)
  restored.pushed(31 * MEGABYTE)
  expect(restored.isTooLong).toBe(false)
  restored.parsed(50 * MEGABYTE, 1000)
  expect(restored).toMatchObject({ bytes: 31 * MEGABYTE, isTooLong: false })
  expect(all.total).toBe(31 * MEGABYTE)
  restored.pushed(2 * MEGABYTE)
  expect(restored.isTooLong).toBe(true)
})
