import { expect, test } from 'vitest'
import { Emulator } from './emulator'

const SIZE = { rows: 24, cols: 80 }

function linesAfter(text: string): string[] {
  const emulator = new Emulator(SIZE, 100, { answer: () => undefined, title: () => undefined })
  emulator.write(Buffer.from(text))
  const { active } = emulator.buffer
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString() ?? '')
  const cursor = `${active.cursorX} ${active.cursorY}`
  emulator.dispose()
  return [cursor, ...lines]
}

// Without a limit each of these keeps the emulator, and the whole host with it, busy for hours.
test.each(['L', 'M', 'S', 'T', 'I', 'Z', 'b', '@', 'P', 'X', 'A', 'B', 'C', 'D'])(
  'a count of two thousand million for "%s" does what the size of the screen does',
  (final) => {
    const screen = `${Array.from({ length: 20 }, (_, row) => `line ${row}`).join('\r\n')}\x1b[5;3H`
    const most = 'LMST'.includes(final) ? SIZE.rows : SIZE.cols
    const whole = linesAfter(`${screen}\x1b[${most}${final}`)
    for (const count of ['2147483647', '999999999999', '2147483647;2147483647']) {
      expect(linesAfter(`${screen}\x1b[${count}${final}`)).toEqual(whole)
      expect(linesAfter(`${screen}\x9b${count}${final}`.replace('\x9b', '\u009b'))).toEqual(whole)
    }
  }
)

test('a count within the screen is carried out as it is', () => {
  expect(linesAfter('a\r\nb\r\nc\x1b[2S')[1]?.trim()).toBe('c')
  expect(linesAfter('a\x1b[5b')[1]?.trim()).toBe('aaaaaa')
})
