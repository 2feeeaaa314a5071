import { Terminal } from '@xterm/xterm'
import { expect, test } from 'vitest'
import { KeyboardModes } from './keyboardModes'

async function after(text: string, isAlternate = false): Promise<string | undefined> {
  const xterm = new Terminal({ allowProposedApi: true })
  const modes = new KeyboardModes(xterm.parser)
  await new Promise<void>((resolve) => xterm.write(text, resolve))
  const { bracketedPasteMode, sendFocusMode } = xterm.modes
  const bytes = modes.shiftEnter({ bracketedPasteMode, sendFocusMode }, isAlternate)
  xterm.dispose()
  return bytes
}

test('a shell that asked for nothing gets Enter for Shift+Enter', async () => {
  expect(await after('')).toBeUndefined()
  expect(await after('\x1b[?2004h')).toBeUndefined()
})

test('a program that asked for distinct keys gets Shift+Enter as such, until it takes that back', async () => {
  expect(await after('\x1b[>1u')).toBe('\x1b[13;2u')
  expect(await after('\x1b[=5u')).toBe('\x1b[13;2u')
  expect(await after('\x1b[>1u\x1b[<u')).toBeUndefined()
  expect(await after('\x1b[>1u\x1b[>0u')).toBeUndefined()
  expect(await after('\x1b[>1u\x1bc')).toBeUndefined()
  expect(await after('\x1b[>4;2m')).toBe('\x1b[27;2;13~')
  expect(await after('\x1b[>4;2m\x1b[>4m')).toBeUndefined()
})

test('the prompt of an agent gets a new line; a full-screen program does not', async () => {
  expect(await after('\x1b[?2004h\x1b[?1004h')).toBe('\x1b\r')
  expect(await after('\x1b[?2004h\x1b[?1004h', true)).toBeUndefined()
})
