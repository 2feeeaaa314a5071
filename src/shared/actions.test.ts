import { expect, test } from 'vitest'
import { ACTION_IDS, keysOf } from './actions'
import { isPressed, type KeyPlace, showChord } from './keys'

const PLACES: KeyPlace[] = [
  { system: 'mac', shell: 'desktop' },
  { system: 'mac', shell: 'browser' },
  { system: 'linux', shell: 'desktop' },
  { system: 'linux', shell: 'browser' }
]

function pressed(chord: string) {
  const parts = chord.split('+')
  const held = (name: string) => parts.includes(name)
  return {
    code: parts.at(-1) ?? '',
    ctrlKey: held('Control'),
    shiftKey: held('Shift'),
    altKey: held('Alt'),
    metaKey: held('Meta')
  }
}

const pressedAction = (chord: string, place: KeyPlace) =>
  ACTION_IDS.find((id) => keysOf(id, place).some((one) => isPressed(one, pressed(chord))))

test.each(PLACES)('no two actions share keys on $system in a $shell', (place) => {
  const chords = ACTION_IDS.flatMap((id) => [...new Set(keysOf(id, place))])
  expect(chords.filter((chord, index) => chords.indexOf(chord) !== index)).toEqual([])
})

test.each([
  ['Control+Shift+KeyT', 'newTerminal'],
  ['Alt+Shift+KeyT', 'newTerminal'],
  ['Control+Shift+PageUp', 'moveTabLeft'],
  ['Alt+PageDown', 'nextTab'],
  ['Alt+Digit9', 'goToLastTab'],
  ['F1', 'palette'],
  ['F6', 'nextRegion']
])('%s in a browser on Linux is %s', (chord, id) => {
  expect(pressedAction(chord, { system: 'linux', shell: 'browser' })).toBe(id)
})

test.each(['Control+KeyC', 'Control+KeyW', 'Control+KeyT', 'PageUp', 'Shift+PageUp', 'Alt+KeyB', 'Shift+F6', 'Digit1'])(
  '%s belongs to the program everywhere',
  (chord) => {
    for (const place of PLACES) expect(pressedAction(chord, place)).toBeUndefined()
  }
)

test('the palette is never on the key that clears a screen elsewhere', () => {
  expect(pressedAction('Meta+KeyK', { system: 'mac', shell: 'desktop' })).toBe('clearTerminal')
})

test('keys are shown as each system writes them', () => {
  expect(showChord('Control+Shift+PageUp', 'linux')).toBe('Ctrl+Shift+Page Up')
  expect(showChord('Shift+Meta+KeyP', 'mac')).toBe('⇧⌘P')
  expect(showChord('Alt+Backquote', 'linux')).toBe('Alt+`')
})
