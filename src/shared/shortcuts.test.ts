import { expect, test } from 'vitest'
import { ACTION_IDS, keysOf } from './actions'
import { chordOf } from './chords'
import { keymapOf, shortcutProblems } from './shortcuts'

const LINUX = { system: 'linux', shell: 'desktop' } as const

test.each([
  ['Ctrl+Shift+T', 'Control+Shift+KeyT'],
  ['shift+ctrl+t', 'Control+Shift+KeyT'],
  ['Cmd+Option+Left', 'Alt+Meta+ArrowLeft'],
  ['Alt+Page Up', 'Alt+PageUp'],
  ['Control+Digit1', 'Control+Digit1'],
  ['Ctrl+,', 'Control+Comma'],
  ['f5', 'F5']
])('%s means %s', (text, chord) => {
  expect(chordOf(text)).toBe(chord)
})

test.each(['T', 'Shift+T', 'Enter', 'Ctrl+', 'Ctrl+Ctrl+T', 'Hyper+T', 'Ctrl+Foo', 'F25', ''])(
  '%s is no shortcut: it does not exist, or programs need it to be typed',
  (text) => {
    expect(chordOf(text)).toBeUndefined()
  }
)

test('what is declared can be written as it is declared', () => {
  for (const id of ACTION_IDS) {
    for (const chord of keysOf(id, LINUX)) expect(chordOf(chord)?.split('+').sort()).toEqual(chord.split('+').sort())
  }
})

test('own keys replace the usual ones, are taken from whoever had them, and empty means none', () => {
  const map = keymapOf(LINUX, { find: 'Ctrl+Shift+T', clearTerminal: '' })
  expect(map.find).toEqual(['Control+Shift+KeyT'])
  expect(map.newTerminal).toEqual([])
  expect(map.clearTerminal).toEqual([])
  expect(map.palette).toEqual(keysOf('palette', LINUX))
})

test('an unknown action, keys that do not exist and keys wanted twice are named; the rest counts', () => {
  const own = { fly: 'F5', find: 'Ctrl+Nothing', palette: 'F7', settings: 'F7', sidebar: 'Ctrl+Shift+T' }
  const problems = shortcutProblems(own).join('\n')
  expect(problems).toContain('"fly" is no action.')
  expect(problems).toContain('"Ctrl+Nothing" for "find" is no shortcut')
  expect(problems).toContain('"settings" and "palette" both want F7; "palette" has it.')
  expect(problems).toContain('"sidebar" takes Ctrl+Shift+T from "newTerminal" (New terminal)')
  const map = keymapOf(LINUX, own)
  expect([map.find, map.settings]).toEqual([keysOf('find', LINUX), keysOf('settings', LINUX)])
  expect([map.palette, map.sidebar]).toEqual([['F7'], ['Control+Shift+KeyT']])
  expect(shortcutProblems({ find: 'Ctrl+Shift+T', newTerminal: 'Alt+N' })).toEqual([])
})
