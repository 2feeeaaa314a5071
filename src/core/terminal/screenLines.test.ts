import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteQueue } from './byteQueue'
import type { Emulator } from './emulator'
import { readLines } from './screenLines'
import { chunkLengths, newEmulator, PROPERTY_TIMEOUT_MS } from './streams.testing'

const { signal } = new AbortController()

function feed(emulator: Emulator, bytes: Buffer, lengths: number[]): void {
  const queue = new ByteQueue()
  queue.push(bytes)
  for (let turn = 0, offset = 0; queue.size > 0; turn++) {
    const piece = queue.takePiece(4 + (lengths[turn % lengths.length] ?? 0))
    emulator.write(piece, offset)
    offset += piece.length
  }
}

const words = fc.constantFrom(
  'plain',
  'é£ñ',
  '日本語',
  '👩‍👩‍👧',
  '\x1b[31mred\x1b[0m',
  'a longer one that wraps around'
)
const line = fc.array(words, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '))

test('every line says where in the output it began, however the output was cut', {
  timeout: PROPERTY_TIMEOUT_MS
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), chunkLengths, async (printed, lengths) => {
      const emulator = newEmulator()
      const bytes = Buffer.from(printed.map((text, index) => `${index}:${text}\r\n`).join(''))
      feed(emulator, bytes, lengths)
      const lines = await readLines(emulator, signal)
      emulator.dispose()
      expect(lines.length).toBe(printed.length)
      for (const [index, { offset, text }] of lines.reverse().entries()) {
        expect(text.startsWith(`${index}:`)).toBe(true)
        expect(bytes.subarray(offset).toString()).toMatch(new RegExp(`^${index}:`))
      }
    }),
    { numRuns: 100 }
  )
})

test('rows keep it when they scroll away, when old ones are dropped, and when the screen is resized', async () => {
  const emulator = newEmulator({ rows: 6, cols: 20 }, 50)
  const bytes = Buffer.from(
    Array.from({ length: 200 }, (_, n) => `line ${n} of many, each a bit too long\r\n`).join('')
  )
  feed(emulator, bytes, [100])
  for (const cols of [20, 50, 12]) {
    emulator.resize({ rows: 6, cols })
    const lines = await readLines(emulator, signal)
    expect(lines.length).toBeGreaterThan(10)
    // The oldest may have lost its first row.
    for (const { offset, text } of lines.slice(0, -1)) {
      expect(bytes.subarray(offset).toString().startsWith(text.slice(0, 20))).toBe(true)
    }
  }
  emulator.dispose()
})

test('a line that is drawn again begins where it was drawn last', async () => {
  const emulator = newEmulator()
  const bytes = Buffer.from('first\r\n10%\r20%\r30%\r\nlast')
  feed(emulator, bytes, [1000])
  const [, bar] = await readLines(emulator, signal)
  expect(bar).toMatchObject({ row: 2, text: '30%', offset: bytes.indexOf('30%') })
  emulator.dispose()
})

test('what was only drawn again has no place in the output', async () => {
  const emulator = newEmulator()
  emulator.write(Buffer.from('from before\r\n'))
  emulator.write(Buffer.from('now'), 1000)
  expect(await readLines(emulator, signal)).toEqual([
    { row: 2, offset: 1000, text: 'now' },
    { row: 1, offset: undefined, text: 'from before' }
  ])
  emulator.dispose()
})

test('who gave up is not read for', async () => {
  const emulator = newEmulator({ rows: 6, cols: 200 }, 20_000)
  emulator.write(Buffer.from('x\r\n'.repeat(20_000)))
  const controller = new AbortController()
  const reading = readLines(emulator, controller.signal)
  controller.abort()
  await expect(reading).rejects.toThrow()
  emulator.dispose()
})
