import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textBytes } from './pasteBytes'

const BEGIN = '\x1b[200~'
const END = '\x1b[201~'
const AWARE = { isPasteAware: true }
const PLAIN = { isPasteAware: false }

/** Text in which newlines, escapes and pieces of the marks are common. */
const text = fc
  .array(
    fc.oneof(fc.constantFrom('\n', '\r\n', '\r', END, BEGIN, '\x1b[20', '1~', '\x1b', '\0', 'é日👩‍👧'), fc.string())
  )
  .map((parts) => parts.join(''))

test('unwrapped text is sent byte for byte, whatever it holds', () => {
  fc.assert(
    fc.property(text, fc.boolean(), (given, isPasteAware) => {
      expect(textBytes(given, false, { isPasteAware })).toEqual(Buffer.from(given))
      expect(textBytes(given, 'auto', PLAIN)).toEqual(Buffer.from(given))
    })
  )
})

test('a paste has one beginning, one end, and at most one newline after it; nothing else is changed', () => {
  fc.assert(
    fc.property(text, fc.boolean(), (given, isPasteAware) => {
      const sent = textBytes(given, true, { isPasteAware }).toString()
      expect(sent.startsWith(BEGIN)).toBe(true)
      const end = sent.indexOf(END)
      const after = sent.slice(end + END.length)
      expect(['', '\n', '\r\n']).toContain(after)
      const body = sent.slice(BEGIN.length, end)
      if (!given.includes(END)) expect(body + after).toBe(Buffer.from(given).toString())
      else expect(body).not.toContain(END)
    })
  )
})

test('auto wraps exactly where the program asked for it and a line ends inside the text', () => {
  fc.assert(
    fc.property(text, (given) => {
      const newline = given.indexOf('\n')
      const isInside = newline !== -1 && newline < given.length - 1
      expect(textBytes(given, 'auto', AWARE).toString().startsWith(BEGIN)).toBe(isInside || given.startsWith(BEGIN))
    })
  )
  expect(textBytes('ls\n', 'auto', AWARE).toString()).toBe('ls\n')
  expect(textBytes('a\nb\n', 'auto', AWARE).toString()).toBe(`${BEGIN}a\nb${END}\n`)
})

test('an end mark that appears once another is taken out is taken out too', () => {
  const nested = `a\x1b[20${END}1~b`
  expect(textBytes(nested, true, AWARE).toString()).toBe(`${BEGIN}ab${END}`)
  const deep = `${'\x1b[20'.repeat(2000)}${'1~'.repeat(2000)}`
  expect(textBytes(deep, true, AWARE).toString()).toBe(`${BEGIN}${END}`)
})
