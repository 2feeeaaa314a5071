import { expect, test } from 'vitest'
import { Patterns } from './patterns'

const patterns = new Patterns()

test('finds the first match, with ^ and $ at every line', async () => {
  expect(await patterns.find('^done$', 'work\ndone\nmore')).toEqual({ start: 5, end: 9 })
  expect(await patterns.find('absent', 'text')).toBeUndefined()
  expect(await patterns.findEach('B', ['ab', 'AB', ''], { ignoreCase: true })).toEqual([
    { start: 1, end: 2 },
    { start: 1, end: 2 },
    undefined
  ])
})

test('a pattern that does not compile, looks back or is far too long is refused', async () => {
  for (const pattern of ['(', '[', String.raw`(a)\1`, '(?<=a)b', 'a'.repeat(2000)]) {
    await expect(patterns.check(pattern)).rejects.toMatchObject({ code: 'INVALID_PATTERN' })
  }
})

test('a pattern that other engines never finish is answered, and the event loop goes on meanwhile', async () => {
  let turns = 0
  const count = setInterval(() => turns++, 1)
  const text = `${'a'.repeat(30_000)}b`
  for (const pattern of ['(a+)+$', '(a{1,100}){1,5}$']) expect(await patterns.find(pattern, text)).toBeUndefined()
  clearInterval(count)
  expect(turns).toBeGreaterThan(0)
  expect(await patterns.find('b', text)).toEqual({ start: 30_000, end: 30_001 })
})
