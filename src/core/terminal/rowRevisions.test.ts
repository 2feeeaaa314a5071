import { expect, test } from 'vitest'
import { Readers } from './readers'
import { RowRevisions } from './rowRevisions'
import { Stillness } from './waits/settledWatch'

test('a reader who knows a revision is told the rows that changed since, and all of them otherwise', () => {
  const revisions = new RowRevisions(100)
  const first = revisions.look(['a', 'b'])
  expect(revisions.look(['a', 'b'])).toBe(first)
  const second = revisions.look(['a', 'c'])
  expect(second).toBeGreaterThan(first)
  expect(revisions.since(first)).toEqual([{ row: 2, text: 'c' }])
  expect(revisions.since(second)).toEqual([])
  const all = [
    { row: 1, text: 'a' },
    { row: 2, text: 'c' }
  ]
  // Of an earlier life, of a later one, and after a new size.
  for (const unknown of [3, 100, second + 1]) expect(revisions.since(unknown)).toEqual(all)
  revisions.look(['a', 'c', ''])
  expect(revisions.since(second)).toHaveLength(3)
})

test('marks and screens are kept for the newest readers only', () => {
  const readers = new Readers(0)
  for (let number = 0; number < 100; number++) {
    readers.moveMark(`reader ${number}`, number)
    readers.remember(number, { size: { rows: 1, cols: 1 }, bytes: Buffer.alloc(100_000) })
  }
  expect(readers.mark('reader 0')).toBeUndefined()
  expect(readers.mark('reader 99')).toBe(99)
  expect(readers.stateAt(50)).toBeUndefined()
  expect(readers.stateAt(99)?.bytes).toHaveLength(100_000)
})

test('cells that change again and again are no news; text, scrolling and a new size are', () => {
  const stillness = new Stillness(['work /', ''], 0)
  const seen = ['-', '\\', '|', '/', '-'].map((sign) => stillness.hasChanged([`work ${sign}`, ''], 0))
  expect(seen).toEqual([true, true, false, false, false])
  expect(stillness.hasChanged(['work -', 'done'], 0)).toBe(true)
  expect(stillness.hasChanged(['work -', 'done'], 0)).toBe(false)
  expect(stillness.hasChanged(['done', ''], 1)).toBe(true)
  expect(stillness.hasChanged(['done'], 1)).toBe(true)
})
