import { expect, test } from 'vitest'
import { tabCommand } from './shortcuts'
import { stripCommand } from './stripKeys'

function keys(text: string) {
  const parts = text.split('+')
  const held = (name: string) => parts.includes(name)
  const code = parts.at(-1) ?? ''
  return {
    code,
    key: code,
    ctrlKey: held('Ctrl'),
    shiftKey: held('Shift'),
    altKey: held('Alt'),
    metaKey: held('Meta')
  }
}

test.each([
  ['Ctrl+Shift+PageUp', { do: 'move', by: -1 }],
  ['Ctrl+Shift+PageDown', { do: 'move', by: 1 }],
  ['Ctrl+PageDown', { do: 'go', by: 1 }],
  ['Alt+PageUp', { do: 'go', by: -1 }],
  ['Alt+Shift+KeyT', { do: 'new' }],
  ['Ctrl+Shift+KeyT', { do: 'new' }],
  ['Alt+Shift+KeyW', { do: 'close' }],
  ['Alt+Digit1', { do: 'goTo', index: 0 }],
  ['Alt+Digit9', { do: 'goTo', index: -1 }],
  ['F6', { do: 'nextRegion' }]
])('%s is a command', (pressed, command) => {
  expect(tabCommand(keys(pressed))).toEqual(command)
})

test.each(['Ctrl+KeyC', 'Ctrl+KeyW', 'Ctrl+KeyT', 'PageUp', 'Shift+PageUp', 'Alt+KeyB', 'Shift+F6', 'Digit1', 'F2'])(
  '%s belongs to the program',
  (pressed) => {
    expect(tabCommand(keys(pressed))).toBeUndefined()
  }
)

test('on a focused tab the arrows walk round the ends and move with Ctrl+Shift', () => {
  const last = { index: 2, count: 3 }
  expect(stripCommand(keys('ArrowRight'), last)).toEqual({ do: 'go', to: 0 })
  expect(stripCommand(keys('ArrowLeft'), { index: 0, count: 3 })).toEqual({ do: 'go', to: 2 })
  expect(stripCommand(keys('Home'), last)).toEqual({ do: 'go', to: 0 })
  expect(stripCommand(keys('Ctrl+Shift+ArrowLeft'), last)).toEqual({ do: 'move', to: 1 })
  expect(stripCommand(keys('Delete'), last)).toEqual({ do: 'close' })
  expect(stripCommand(keys('F2'), last)).toEqual({ do: 'rename' })
  expect(stripCommand(keys('KeyA'), last)).toBeUndefined()
})
