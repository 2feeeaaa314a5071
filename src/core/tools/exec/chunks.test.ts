import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chunksOf, unfinishedBytes } from './chunks'

test('every byte is there once, at its own offset, and neighbours differ in kind', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.uint8Array({ maxLength: 6 }),
          fc.string().map((text) => Buffer.from(text))
        )
      ),
      (parts) => {
        const bytes = Buffer.concat(parts)
        const chunks = chunksOf(bytes, 100)
        const decoded = chunks.map(({ data, encoding }) => Buffer.from(data, encoding))
        expect(Buffer.concat(decoded)).toEqual(bytes)
        let next = 100
        for (const [index, { encoding, index: at }] of chunks.entries()) {
          expect(at).toBe(next)
          expect(encoding).not.toBe(chunks[index - 1]?.encoding)
          next += decoded[index]?.length ?? 0
        }
      }
    )
  )
})

test.each([
  ['text', 'aé€😀', ['utf8']],
  ['a NUL', 'a\0b', ['utf8', 'base64', 'utf8']]
])('%s is cut into %j', (_, text, encodings) => {
  expect(chunksOf(Buffer.from(text), 0).map(({ encoding }) => encoding)).toEqual(encodings)
})

test.each([
  ['a byte that begins nothing', [0xff]],
  ['a character written longer than needed', [0xe0, 0x80, 0x80]],
  ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
  ['beyond the last character', [0xf4, 0x90, 0x80, 0x80]]
])('%s is no text', (_, bytes) => {
  expect(chunksOf(Buffer.from(bytes), 0)).toEqual([
    { index: 0, encoding: 'base64', data: Buffer.from(bytes).toString('base64') }
  ])
})

test('the beginning of a character whose rest has not come is told', () => {
  expect(unfinishedBytes(Buffer.from('a€').subarray(0, 3))).toBe(2)
  expect(unfinishedBytes(Buffer.from('a€'))).toBe(0)
  expect(unfinishedBytes(Buffer.from([0x80, 0x80]))).toBe(0)
  expect(unfinishedBytes(Buffer.alloc(0))).toBe(0)
})
