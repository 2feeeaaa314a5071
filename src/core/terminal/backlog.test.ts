import { describe, expect, test } from 'vitest'
import { Backlog, WaitingBytes } from './backlog'

const MEGABYTE = 1_048_576

function backlog(bytes: number, { all = new WaitingBytes(), isResyncLossy = true } = {}): Backlog {
  const made = new Backlog(all, { isResyncLossy })
  made.bytes = bytes
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
    for (const one of long.slice(1)) one.bytes = 0
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
    once.bytes = 30 * MEGABYTE
    expect(once.isTooLong).toBe(false)
  })

  test('what was slow once is forgotten when it is fast again, in whatever pieces it comes', () => {
    const once = backlog(20 * MEGABYTE)
    parse(once, { pieces: 200, bytes: 300, ms: 2 })
    expect(once.isTooLong).toBe(true)
    parse(once, { pieces: 1000, bytes: 300, ms: 0.01 })
    parse(once, { pieces: 500, bytes: 16_384, ms: 0.5 })
    once.bytes = 20 * MEGABYTE
    expect(once.isTooLong).toBe(false)
  })
})

test('where the program is held back instead, its backlog is kept short', () => {
  expect(backlog(8 * MEGABYTE, { isResyncLossy: false }).isTooLong).toBe(false)
  expect(backlog(8 * MEGABYTE + 1, { isResyncLossy: false }).isTooLong).toBe(true)
})
