import { expect, test } from 'vitest'
import { GatheredOutput } from './gatheredOutput'

const PIECE_BYTES = 4_096

function gathered() {
  const passed: Buffer[] = []
  return { passed, output: new GatheredOutput((bytes) => passed.push(bytes)) }
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

test('the end of a flood is passed on although nothing follows it', async () => {
  const { passed, output } = gathered()
  const flood = pieces(11)
  for (const piece of flood) output.push(piece)
  await expect.poll(() => Buffer.concat(passed).equals(Buffer.concat(flood))).toBe(true)
})
