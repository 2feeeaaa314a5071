import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { keyBytes, type Modifiers } from './keyBytes'

const NORMAL = { applicationCursor: false }
const sent = (key: string, modifiers: Modifiers = {}, modes = NORMAL) => keyBytes(key, modifiers, modes).toString()

const CURSOR = { up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' }
const FIRST_FOUR = { f1: 'P', f2: 'Q', f3: 'R', f4: 'S' }
const NUMBERED = { insert: 2, delete: 3, pageup: 5, pagedown: 6, f5: 15, f6: 17, f7: 18, f8: 19, f9: 20, f10: 21 }
const LATE = { f11: 23, f12: 24 }

const modifiers = fc.record({ ctrl: fc.boolean(), alt: fc.boolean(), shift: fc.boolean() })
const numberOf = ({ ctrl, alt, shift }: Modifiers) => 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0)
const anyCase = (key: string) =>
  fc
    .array(fc.boolean(), { minLength: key.length, maxLength: key.length })
    .map((upper) => [...key].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter)).join(''))
const named = <T>(table: Record<string, T>) =>
  fc.constantFrom(...Object.entries(table)).chain(([key, code]) => fc.tuple(anyCase(key), fc.constant(code)))

test('keys without modifiers send what the table says', () => {
  const table = {
    enter: '\r',
    tab: '\t',
    backspace: '\x7f',
    escape: '\x1b',
    up: '\x1b[A',
    f1: '\x1bOP',
    f5: '\x1b[15~'
  }
  for (const [key, sequence] of Object.entries(table)) expect(sent(key)).toBe(sequence)
  expect(sent('tab', { shift: true })).toBe('\x1b[Z')
  for (const [key, letter] of Object.entries(CURSOR)) {
    expect(sent(key, {}, { applicationCursor: true })).toBe(`\x1bO${letter}`)
  }
})

describe('modifiers, in every spelling of the name and either cursor mode', () => {
  test('arrows, Home, End and F1 to F4 carry their number before the letter', () => {
    fc.assert(
      fc.property(named({ ...CURSOR, ...FIRST_FOUR }), modifiers, fc.boolean(), ([key, letter], held, mode) => {
        const number = numberOf(held)
        const isFunction = /^f/i.test(key)
        const plain = `${isFunction || mode ? '\x1bO' : '\x1b['}${letter}`
        expect(sent(key, held, { applicationCursor: mode })).toBe(number === 1 ? plain : `\x1b[1;${number}${letter}`)
      })
    )
  })

  test('the others carry it before the tilde', () => {
    fc.assert(
      fc.property(named({ ...NUMBERED, ...LATE }), modifiers, fc.boolean(), ([key, code], held, mode) => {
        const number = numberOf(held)
        const expected = number === 1 ? `\x1b[${code}~` : `\x1b[${code};${number}~`
        expect(sent(key, held, { applicationCursor: mode })).toBe(expected)
      })
    )
  })

  test('a letter with ctrl is its control code, with alt it follows an escape', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
        fc.boolean(),
        fc.boolean(),
        (letter, alt, upper) => {
          const key = upper ? letter.toUpperCase() : letter
          const code = String.fromCharCode(letter.charCodeAt(0) - 96)
          expect(sent(key, { ctrl: true, alt })).toBe((alt ? '\x1b' : '') + code)
          expect(sent(`Ctrl+${key}`, { alt })).toBe((alt ? '\x1b' : '') + code)
        }
      )
    )
  })

  test('any single character is sent as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 1 }), fc.boolean(), (key, alt) => {
        fc.pre([...key].length === 1)
        expect(sent(key, { alt })).toBe((alt ? '\x1b' : '') + key)
      })
    )
  })
})

test('ctrl with a space or an at sign is NUL, and signs have their old codes', () => {
  expect(sent(' ', { ctrl: true })).toBe('\0')
  expect(sent('@', { ctrl: true })).toBe('\0')
  expect(sent('space', { ctrl: true })).toBe('\0')
  expect(sent('[', { ctrl: true })).toBe('\x1b')
  expect(sent('_', { ctrl: true })).toBe('\x1f')
  expect(sent('c', { shift: true })).toBe('C')
})

test('what is no key is refused by name, inherited names and long ones too', () => {
  for (const key of ['hyper', 'f13', 'f0', '', 'constructor', 'toString', '__proto__', 'ab', 'x'.repeat(10_000)]) {
    expect(() => sent(key)).toThrow(AppError)
    expect(() => sent(key)).toThrow(/^Invalid key: /)
  }
  expect(() => sent('é', { ctrl: true })).toThrow('Invalid key: ctrl+é')
})
