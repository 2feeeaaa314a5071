import { expect, test } from 'vitest'
import { stripCommand } from './stripKeys'

function keys(text: string) {
  const parts = text.split('+')
  const held = (name: string) => parts.includes(name)
  return {
    key: parts.at(-1) ?? '',
    ctrlKey: held('Ctrl'),
    shiftKey: held('Shift'),
    metaKey: held('Meta')
  }
}

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
