import { expect, test } from 'vitest'
import { Pen } from './pen'

function after(text: string): string {
  const pen = new Pen()
  pen.follow(text)
  return pen.sequence
}

test('the last colour of each kind counts, and a reset forgets all', () => {
  expect(after('\x1b[31mred\x1b[32mgreen\x1b[44m')).toBe('\x1b[32;44m')
  expect(after('\x1b[1m\x1b[4m\x1b[38;5;200mx')).toBe('\x1b[1;4;38;5;200m')
  expect(after('\x1b[31m\x1b[m')).toBe('')
  expect(after('\x1b[31m\x1b[0;1m')).toBe('\x1b[1m')
})

test('numbers inside a colour are not attributes', () => {
  expect(after('\x1b[38;2;1;0;4mx')).toBe('\x1b[38;2;1;0;4m')
  expect(after('\x1b[48;5;0mx')).toBe('\x1b[48;5;0m')
  expect(after('\x1b[38:2::1:0:4mx')).toBe('\x1b[38:2::1:0:4m')
})

test('rainbow text does not grow the sequence', () => {
  expect(after(Array.from({ length: 1000 }, (_, colour) => `\x1b[38;5;${colour % 256}mx`).join(''))).toBe(
    '\x1b[38;5;231m'
  )
})
