import { expect, test } from 'vitest'
import { GatheredOutput } from './gatheredOutput'

const PIECE_BYTES = 4_096

function gathered() {
  const passed: Buffer[] = []
  const ready: Buffer[] = []
  const readMore = (into: Buffer) => ready.shift()?.copy(into) ?? 0
  return { passed, ready, output: new GatheredOutput({ readMore, pass: (bytes) => passed.push(bytes) }) }
}

/** Pieces that can be told apart. */
const pieces = (count: number) => Array.from({ length: count }, (_, place) => Buffer.alloc(PIECE_BYTES, place % 251))

test('what comes alone is passed on before anything else happens', () => {
  const { passed, output } = gathered()
  output.push(Buffer.from('k'))
  expect(passed.map(String)).toEqual(['k'])
})

test('every byte of a flood is passed on once and in order, in fewer pieces than came', () => {
  const { passed, output } = gathered()
  const flood = pieces(200)
  for (const piece of flood) output.push(piece)
  output.flush()
  expect(Buffer.concat(passed).equals(Buffer.concat(flood))).toBe(true)
  expect(passed.length).toBeLessThan(flood.length / 4)
})

test('of a flood, what is there already is read at once and comes in its place; of slow output nothing is', () => {
  const { passed, ready, output } = gathered()
  const [slow, floods, there] = [pieces(7), pieces(9).slice(7), pieces(20).slice(9)]
  ready.push(...there)
  for (const piece of slow) output.push(piece)
  expect([passed.length, ready.length]).toEqual([7, 11])
  for (const piece of floods) output.push(piece)
  output.flush()
  // Eight are a flood; two pushes have room for fifteen pieces each beside their own.
  const bytes = Buffer.concat(passed)
  const order = Array.from({ length: 20 }, (_, place) => bytes[place * PIECE_BYTES])
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 8])
})

test('the end of a flood is passed on although nothing follows it', async () => {
  const { passed, output } = gathered()
  const flood = pieces(11)
  for (const piece of flood) output.push(piece)
  await expect.poll(() => Buffer.concat(passed).equals(Buffer.concat(flood))).toBe(true)
})
