import { expect, test } from 'vitest'
import type { Emulator } from '../../core/terminal/emulator'
import { newEmulator } from '../../core/terminal/streams.testing'
import { GIVE_BACK } from './ownTerminal'

/** What full-screen programs switch on and a killed one leaves on. */
const LEFT_ON = [
  '\x1b[?1049h',
  '\x1b[2;4r',
  '\x1b[?6h',
  '\x1b[4h',
  '\x1b[?7l',
  '\x1b[?1h\x1b=',
  '\x1b[?9h',
  '\x1b[?1000h',
  '\x1b[?1002h\x1b[?1005h',
  '\x1b[?1003h\x1b[?1006h',
  '\x1b[?1003h\x1b[?1015h',
  '\x1b[?1003h\x1b[?1016h',
  '\x1b[?1004h',
  '\x1b[?2004h',
  '\x1b[?2026h',
  '\x1b[?25l',
  '\x1b[?45h',
  '\x1b[1;7;31m',
  '\x1b(0',
  '\x1b)0\x0e',
  '\x1b[20h',
  '\x1b]8;;https://example.org/\x1b\\',
  '\x1b[5 q',
  '\x1b]0;half a ti',
  '\x1b[38;5'
]

function after(text: string): Emulator {
  const emulator = newEmulator()
  for (let row = 1; row <= 4; row++) emulator.write(Buffer.from(`line ${row}\r\n`))
  emulator.write(Buffer.from(`\x1b7${text}${GIVE_BACK}Left\nx`))
  return emulator
}

const stateOf = (emulator: Emulator) => {
  const { activeEncoding } = emulator.state.coreMouseService
  const { _curAttrData } = emulator.state._inputHandler
  const { scrollTop, scrollBottom } = emulator.state.buffers.active
  return {
    modes: emulator.modes,
    remembered: emulator.remembered,
    activeEncoding,
    hidden: emulator.state.coreService.isCursorHidden,
    region: [scrollTop, scrollBottom],
    pen: [_curAttrData.fg, _curAttrData.bg, _curAttrData.extended.urlId],
    charset: emulator.state._charsetService._charsets[emulator.state._charsetService.glevel],
    screen: emulator.buffer.active.type
  }
}

test.each([...LEFT_ON, LEFT_ON.join('')])('after %j the terminal is as a fresh one', (text) => {
  expect(stateOf(after(text))).toEqual(stateOf(newEmulator()))
})

test.each(['', '\x1b[1;1H', '\x1b[?1049h\x1b[2J', '\x1b[2;3r\x1b[?6h'])(
  'after %j what is said stands below everything, and nothing is lost',
  (text) => {
    const emulator = after(text)
    const { active } = emulator.buffer
    const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true))
    expect(lines.filter(Boolean)).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'Left', '    x'])
  }
)

test('keyboards are told to be plain again on both screens, as a program on either may have changed them', () => {
  const [before = '', afterwards = ''] = GIVE_BACK.split('\x1b[?1049l')
  for (const half of [before, afterwards]) {
    for (const sequence of ['\x1b[<99u', '\x1b[=0u', '\x1b[>4m']) expect(half).toContain(sequence)
  }
})
