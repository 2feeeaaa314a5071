import { expect, test } from 'vitest'
import { ACTION_IDS, keysOf } from '../shared/actions'
import { acceleratorOf } from './accelerator'

test.each([
  ['Control+Shift+KeyT', 'Control+Shift+T'],
  ['Alt+Meta+ArrowLeft', 'Alt+Command+Left'],
  ['Shift+Meta+BracketLeft', 'Shift+Command+['],
  ['Control+PageUp', 'Control+PageUp'],
  ['Meta+Digit9', 'Command+9'],
  ['F2', 'F2']
])('the menu writes %s as %s', (chord, accelerator) => {
  expect(acceleratorOf(chord)).toBe(accelerator)
})

test('every key of every action is one that a menu can show', () => {
  const known =
    /^(?:(?:Control|Shift|Alt|Command)\+)*(?:[A-Z0-9]|F\d+|[=,`[\]-]|Enter|Tab|Space|PageUp|PageDown|Left|Right|Up|Down)$/
  for (const id of ACTION_IDS) {
    for (const system of ['mac', 'linux'] as const) {
      for (const chord of keysOf(id, { system, shell: 'desktop' })) expect(acceleratorOf(chord)).toMatch(known)
    }
  }
})
