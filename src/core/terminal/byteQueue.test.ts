import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteQueue } from './byteQueue'
import { PROPERTY_TIMEOUT_MS } from './streams.testing'

test('bytes come out as they went in, whatever the pieces', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.integer({ min: 4000, max: 5000 }).map((length) => new Uint8Array(length).fill(length & 255))
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, fc.integer({ min: 0, max: 6000 })), { maxLength: 30 }), (turns) => {
      const queue = new ByteQueue()
      const taken: Buffer[] = []
      for (const [bytes, maxBytes] of turns) {
        queue.push(Buffer.from(bytes))
        const part = queue.take(maxBytes)
        expect(part.length).toBeLessThanOrEqual(maxBytes)
        taken.push(Buffer.from(part))
      }
      taken.push(queue.take(Number.MAX_SAFE_INTEGER))
      expect(queue.size).toBe(0)
      expect(Buffer.concat(taken).equals(Buffer.concat(turns.map(([bytes]) => bytes)))).toBe(true)
    })
  )
})

test('what was taken does not change when more is pushed', () => {
  const queue = new ByteQueue()
  queue.push(Buffer.from('first'))
  const taken = queue.take(100)
  queue.push(Buffer.from('second'))
  expect(taken.toString()).toBe('first')
  expect(queue.take(100).toString()).toBe('second')
})

test('no character is cut in two', () => {
  const queue = new ByteQueue()
  const text = 'a “quoted” 🀀 word – '.repeat(50)
  queue.push(Buffer.from(text))
  let taken = ''
  while (queue.size > 0) taken += queue.takePiece(5).toString()
  expect(taken).toBe(text)
})
