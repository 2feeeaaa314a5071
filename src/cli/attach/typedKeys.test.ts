import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cutInto } from '../../core/terminal/streams.testing'
import { readDetachKey } from './detachKey'
import { TypedKeys } from './typedKeys'

const KEY = readDetachKey('ctrl-]')

let typed: string
let detached: string[]
let keys: TypedKeys

beforeEach(() => {
  vi.useFakeTimers()
  typed = ''
  detached = []
  keys = new TypedKeys(KEY, {
    typed: (bytes) => {
      typed += bytes.toString()
    },
    detach: (bytes) => detached.push(bytes.toString())
  })
})
afterEach(() => {
  keys.close()
  vi.useRealTimers()
})

const push = (text: string) => keys.push(Buffer.from(text))

const DETACHING = ['\x1d', '\x1b[27;5;93~', '\x1b[93;5u', '\x1b[93;5:1u']
const REPLIES = [
  '\x1b[?62;22;28c',
  '\x1b[>0;276;0c',
  '\x1b[24;80R',
  '\x1b[0n',
  '\x1b[?2026;2$y',
  '\x1b[?1u',
  '\x1b[8;24;80t',
  '\x1bP>|XTerm(390)\x1b\\',
  '\x1bP1$r0m\x1b\\',
  '\x1b]11;rgb:0000/0000/0000\x1b\\',
  '\x1b]10;rgb:ffff/ffff/ffff\x07',
  '\x1bP!|00000000\x1b\\'
]
const KEYS = [
  'a',
  'é',
  '日',
  '\r',
  '\x03',
  '\x1b[A',
  '\x1bOP',
  '\x1b[1;5C',
  '\x1b[97;5u',
  '\x1b[<0;10;5M',
  '\x1b[I',
  '\x1bx'
]

test.each(DETACHING)('the detach key is recognised as %j, however it is cut', (key) => {
  for (let length = 1; length <= key.length; length++) {
    detached = []
    for (const chunk of cutInto(Buffer.from(`ls${key}`), [length])) keys.push(chunk)
    expect(detached).toEqual([key])
  }
  expect(typed).toBe('ls'.repeat(key.length))
})

test('what follows the key in the same read comes after it, and a key that is let go is nobody’s', () => {
  push('\x1b[93;5:1u\x1b[93;5:3u\x1dx')
  expect(detached).toEqual(['\x1b[93;5:1u', '\x1d'])
  expect(typed).toBe('x')
})

test('replies of the own terminal reach nobody, however they are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...REPLIES), { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      (replies, lengths) => {
        typed = ''
        for (const chunk of cutInto(Buffer.from(replies.join('')), lengths)) keys.push(chunk)
        vi.advanceTimersByTime(5000)
        expect(typed).toBe('')
      }
    )
  )
})

test('keys pass unchanged and in order among replies, however they are cut', () => {
  const piece = fc.oneof(fc.constantFrom(...KEYS), fc.constantFrom(...REPLIES))
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (pieces, lengths) => {
      const out: Buffer[] = []
      const each = new TypedKeys(KEY, { typed: (bytes) => out.push(bytes), detach: () => expect.unreachable() })
      for (const chunk of cutInto(Buffer.from(pieces.join('')), lengths)) each.push(chunk)
      vi.advanceTimersByTime(5000)
      expect(Buffer.concat(out).toString()).toBe(pieces.filter((one) => !REPLIES.includes(one)).join(''))
    })
  )
})

test.each(['\x1b', '\x1b[', '\x1b]', '\x1bP', '\x1b_'])('%j alone is a key and is typed after a moment', (key) => {
  push(key)
  expect(typed).toBe('')
  vi.advanceTimersByTime(50)
  expect(typed).toBe(key)
})

test('Escape right before the detach key does not keep it from working', () => {
  push('\x1b\x1d')
  expect([typed, detached]).toEqual(['\x1b', ['\x1d']])
})

test('a paste passes unchanged, whatever is in it and however it is cut', () => {
  const pasted = '\x1b[200~rm -rf\x1d \x1b[24;80R \x1b[27;5;93~ x\x1b[20\x1b[201~'
  for (const length of [1, 3, 7, pasted.length]) {
    typed = ''
    for (const chunk of cutInto(Buffer.from(`a${pasted}b\x1b[24;80R`), [length])) keys.push(chunk)
    expect(typed).toBe(`a${pasted}b`)
  }
  expect(detached).toEqual([])
})

test('a paste that is never ended does not keep the detach key from working', () => {
  push('\x1b[200~half')
  vi.advanceTimersByTime(1500)
  push('\x1d')
  expect(detached).toEqual(['\x1d'])
})

test('without a detach key every key is the program’s', () => {
  const all = new TypedKeys(undefined, {
    typed: (bytes) => {
      typed += bytes.toString()
    },
    detach: () => expect.unreachable()
  })
  all.push(Buffer.from(DETACHING.join('')))
  expect(typed).toBe(DETACHING.join(''))
})
