import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OutputLog } from './outputLog'
import { PROPERTY_TIMEOUT_MS } from './streams.testing'

const limits =
  (maxBytes: number, maxChunks = 10_000) =>
  () => ({ maxBytes, maxChunks })

test('a read continues where the last one ended', () => {
  const log = new OutputLog(limits(100))
  log.append(Buffer.from('hello '))
  log.append(Buffer.from('world'))
  const first = log.read(0, 8)
  expect(first).toMatchObject({ from: 0, next: 8, dropped: 0, droppedExact: true })
  const second = log.read(first.next, 100)
  expect(first.bytes.toString() + second.bytes.toString()).toBe('hello world')
  expect(second.next).toBe(log.end)
})

test('the oldest bytes go first and are counted exactly', () => {
  const log = new OutputLog(limits(10))
  for (const text of ['aaaa', 'bbbb', 'cccc']) log.append(Buffer.from(text))
  expect(log.start).toBe(4)
  expect(log.read(1, 100)).toMatchObject({ from: 4, next: 12, dropped: 3, droppedExact: true })
})

test('a single chunk over the limit keeps its end', () => {
  const log = new OutputLog(limits(5))
  log.append(Buffer.from('0123456789'))
  expect(log.read(0, 100)).toMatchObject({ from: 5, dropped: 5 })
  expect(log.read(0, 100).bytes.toString()).toBe('56789')
})

test('chunks are bounded too', () => {
  const log = new OutputLog(limits(1000, 3))
  for (let index = 0; index < 10; index++) log.append(Buffer.from(String(index)))
  expect(log.read(0, 100).bytes.toString()).toBe('789')
  expect(log.chunkStart(2)).toBe(8)
  expect(log.chunkStart(99)).toBe(7)
})

test('after a restart it begins at the reserved offset, and what is missing is not called exact', () => {
  const log = new OutputLog(limits(100), 64)
  log.append(Buffer.from('new'))
  expect(log.read(10, 100)).toMatchObject({ from: 64, dropped: 54, droppedExact: false })
  expect(log.read(64, 100)).toMatchObject({ dropped: 0, droppedExact: true })
})

test('a gap stops a read, and the read after it says that output was missed', () => {
  const log = new OutputLog(limits(100))
  log.append(Buffer.from('before'))
  log.gap()
  log.append(Buffer.from('after'))
  const first = log.read(0, 100)
  expect(first.bytes.toString()).toBe('before')
  const second = log.read(first.next, 100)
  expect(second).toMatchObject({ dropped: 1, droppedExact: false })
  expect(second.bytes.toString()).toBe('after')
  expect(log.unbrokenFrom).toBe(second.from)
})

test('an offset from the future reads nothing', () => {
  const log = new OutputLog(limits(100))
  log.append(Buffer.from('abc'))
  expect(log.read(50, 10)).toMatchObject({ from: 3, next: 3, dropped: 0 })
})

test('whatever is appended, reading in pieces gives the kept end of it', { timeout: PROPERTY_TIMEOUT_MS }, () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), fc.integer({ min: 1, max: 30 }), (chunks, pieceBytes) => {
      const log = new OutputLog(limits(64, 5))
      for (const chunk of chunks) log.append(chunk)
      const all = Buffer.concat(chunks)
      const parts: Buffer[] = []
      let { from: position } = log.read(0, 1)
      expect(position).toBe(log.start)
      while (position < log.end) {
        const { bytes, next } = log.read(position, pieceBytes)
        parts.push(bytes)
        position = next
      }
      expect(Buffer.concat(parts)).toEqual(all.subarray(log.start))
      expect(log.end - log.start).toBeLessThanOrEqual(64)
    })
  )
})
