import { expect, test } from 'vitest'
import { readDetachKey, sequenceOf } from './detachKey'

test.each([
  ['ctrl-]', 'Ctrl+]', 0x1d],
  ['Ctrl+]', 'Ctrl+]', 0x1d],
  ['C-a', 'Ctrl+A', 0x01],
  ['^B', 'Ctrl+B', 0x02],
  ['^^', 'Ctrl+^', 0x1e],
  ['ctrl-\\', 'Ctrl+\\', 0x1c],
  ['ctrl-@', 'Ctrl+@', 0x00],
  ['ctrl-_', 'Ctrl+_', 0x1f]
])('%s is a key', (text, name, byte) => {
  expect(readDetachKey(text)).toMatchObject({ name, byte })
})

test.each(['', ']', 'ctrl-', 'ctrl-[', 'ctrl-aa', 'ctrl-1', 'alt-a', 'F1', 'ctrl-é', 'ctrl--'])(
  '"%s" is none',
  (text) => {
    expect(readDetachKey(text)).toBeUndefined()
  }
)

const RIGHT_BRACKET = readDetachKey('ctrl-]')
const LETTER = readDetachKey('ctrl-a')

test.each([
  ['modifyOtherKeys', '\x1b[27;5;93~'],
  ['on the upper half of a key', '\x1b[27;6;93~'],
  ['Ctrl+5, which is the same byte', '\x1b[27;5;53~'],
  ['CSI u', '\x1b[93;5u'],
  ['kitty with an event', '\x1b[93;5:1u'],
  ['kitty with num lock', '\x1b[93;133u'],
  ['kitty with alternate keys', '\x1b[93:125:93;5u'],
  ['kitty on another layout, by the place of the key', '\x1b[57::93;5u'],
  ['kitty with text', '\x1b[93;5;29u']
])('Ctrl+] is recognised as %s', (_, sequence) => {
  expect(RIGHT_BRACKET && sequenceOf(RIGHT_BRACKET, sequence)).toBe('pressed')
})

test('where terminals tell that it is held or let go, that is no second press', () => {
  expect(RIGHT_BRACKET && sequenceOf(RIGHT_BRACKET, '\x1b[93;5:2u')).toBe('held')
  expect(RIGHT_BRACKET && sequenceOf(RIGHT_BRACKET, '\x1b[93;5:3u')).toBe('held')
})

test.each(['\x1b[93u', '\x1b[93;1u', '\x1b[93;3u', '\x1b[93;7u', '\x1b[91;5u', '\x1b[27;5;91~', '\x1b[A', '\x1b[1;5D'])(
  '%j is another key than Ctrl+]',
  (sequence) => {
    expect(RIGHT_BRACKET && sequenceOf(RIGHT_BRACKET, sequence)).toBeUndefined()
  }
)

test('of a letter, capitals by the lock are the same key and by Shift another', () => {
  expect(LETTER && sequenceOf(LETTER, '\x1b[27;5;97~')).toBe('pressed')
  expect(LETTER && sequenceOf(LETTER, '\x1b[27;5;65~')).toBe('pressed')
  expect(LETTER && sequenceOf(LETTER, '\x1b[97;69u')).toBe('pressed')
  expect(LETTER && sequenceOf(LETTER, '\x1b[97;6u')).toBeUndefined()
})
