import { expect, test } from 'vitest'
import { commandText } from './commandText'

const size = { rows: 24, cols: 80 }
const rendered = (text: string, maxCharacters = 1000) => commandText(Buffer.from(text), { size, maxCharacters })

test.each([
  ['lines', 'a\r\n\tb\r\n', 'a\n\tb'],
  ['doubled line ends', 'a\r\r\nb', 'a\nb'],
  ['a progress bar', '1%\r50%\r100%\r\n', '100%'],
  ['colours', '\x1b[31mred\x1b[0m\r\n', 'red'],
  ['backspaces', 'ab\b\bcd\r\n', 'cd'],
  ['nothing but a cleared screen', '\x1b[H\x1b[2J\x1b[3J', ''],
  ['what fish says before a command', '\x1b]0;ls /\x07\x1b[30m\x1b(B\x1b[m\ra\tb\r\n', 'a\tb'],
  ['an empty line at the end', 'a\r\n\r\n', 'a\n']
])('%s', async (_, printed, text) => {
  expect(await rendered(printed)).toEqual({ text, taken: Buffer.byteLength(printed), omitted: 0 })
})

test('what a person cannot see is written out', async () => {
  expect((await rendered('a\u202eb')).text).toBe('a⟨U+202E⟩b')
  expect((await rendered('\x1b[8mhidden\x1b[0m\r\n')).text).not.toBe('hidden')
})

test('of too much the beginning is kept, and reading goes on exactly after it', async () => {
  const printed = Array.from({ length: 100 }, (_, index) => `é${index}\r\n`).join('')
  const { text, taken, omitted } = await rendered(printed, 10)
  expect(text).toHaveLength(10)
  const rest = Buffer.from(printed).subarray(taken).toString().replaceAll('\r\n', '\n')
  expect(text + rest).toBe(printed.replaceAll('\r\n', '\n'))
  expect(omitted).toBe(rest.length - 1)
})

test('no character is cut in two', async () => {
  const { text, taken } = await rendered('😀😀😀', 3)
  expect([text, taken]).toEqual(['😀', 4])
})
