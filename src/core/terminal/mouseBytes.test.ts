import { expect, test } from 'vitest'
import { type MouseInput, type MouseModes, mouseBytes } from './mouseBytes'

const size = { rows: 24, cols: 300 }
const SGR: MouseModes = { tracking: 'vt200', isSgr: true }
const LEGACY: MouseModes = { tracking: 'vt200', isSgr: false }
const at = (row: number, col: number, more: Partial<MouseInput> = {}): MouseInput => ({
  row,
  col,
  button: 'left',
  action: 'click',
  ...more
})
const sent = (input: MouseInput, modes: MouseModes, modifiers = {}) =>
  mouseBytes(input, { modes, size, modifiers }).toString('latin1')

test('a click is a press and a release, in the form that was asked for', () => {
  expect(sent(at(3, 250), SGR)).toBe('\x1b[<0;250;3M\x1b[<0;250;3m')
  expect(sent(at(3, 5), LEGACY)).toBe('\x1b[M\x20\x25\x23\x1b[M\x23\x25\x23')
  expect(sent(at(1, 1), { tracking: 'x10', isSgr: false })).toBe('\x1b[M\x20\x21\x21')
})

test('buttons, wheel, moves and modifiers have their codes', () => {
  expect(sent(at(2, 4, { button: 'right', action: 'press' }), SGR)).toBe('\x1b[<2;4;2M')
  expect(sent(at(2, 4, { button: 'wheel_down' }), SGR)).toBe('\x1b[<65;4;2M')
  expect(sent(at(2, 4, { action: 'press' }), SGR, { ctrl: true, shift: true, alt: true })).toBe('\x1b[<28;4;2M')
  expect(sent(at(2, 4, { action: 'move' }), { tracking: 'drag', isSgr: true })).toBe('\x1b[<32;4;2M')
  expect(sent(at(2, 4, { action: 'move', button: 'none' }), { tracking: 'any', isSgr: true })).toBe('\x1b[<35;4;2M')
})

test('what the program would never hear of is refused', () => {
  expect(() => sent(at(1, 1), { tracking: 'none', isSgr: true })).toThrow('does not listen to the mouse')
  expect(() => sent(at(1, 1, { action: 'move' }), SGR)).toThrow('mouse moves')
  expect(() => sent(at(25, 1), SGR)).toThrow('outside 24×300')
  expect(() => sent(at(1, 250), LEGACY)).toThrow('ends at 223')
})
