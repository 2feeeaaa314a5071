import { expect, test } from 'vitest'
import { JsonShape } from './jsonShape'

const isUsable = (text: string) => new JsonShape().isUsableWith(Buffer.from(text))
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const list = (many: number) => `[${Array(many).fill('1').join(',')}]`

test('JSON that is too deep or holds too much is not usable, even before its end', () => {
  expect([isUsable(nested(64)), isUsable(nested(65)), isUsable('{"a":'.repeat(65))]).toEqual([true, false, false])
  expect([isUsable(list(19_998)), isUsable(list(20_001)), isUsable('[[],'.repeat(10))]).toEqual([true, false, true])
  expect(isUsable(`[${'[],'.repeat(10_001)}`)).toBe(false)
})

test('levels that were closed count no more', () => {
  expect(isUsable(`[${Array(1000).fill(nested(10)).join(',')}]`)).toBe(true)
})

test('a text is one part, whatever is written in it', () => {
  const texts = [
    '['.repeat(100_000),
    ',"[{'.repeat(10_000),
    '\\'.repeat(9999),
    '\\"[\\'.repeat(9999),
    '"'.repeat(30_000)
  ]
  for (const text of texts)
    expect([text.slice(0, 9), isUsable(JSON.stringify({ text }))]).toEqual([text.slice(0, 9), true])
  expect(isUsable(`${JSON.stringify('\\')},${'['.repeat(65)}`)).toBe(false)
})

test('where the bytes are cut makes no difference', () => {
  const value = JSON.stringify({ command: '\\"[[[,\\', list: Array(20).fill('é",') }) + nested(65)
  const shape = new JsonShape()
  const answers = [...Buffer.from(value)].map((byte) => shape.isUsableWith(Uint8Array.of(byte)))
  expect(answers.indexOf(false)).toBe(Buffer.byteLength(value) - 65 - 1)
  expect(isUsable(value)).toBe(false)
})
