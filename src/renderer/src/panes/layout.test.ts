import { expect, test } from 'vitest'
import { neighbourAt, type PaneNode, panesOf, pruned, rectanglesOf, withoutPane, withPane, withSizes } from './layout'

const a: PaneNode = { pane: 'a' }
const row = withPane(a, 'a', { id: 'b', edge: 'right' })
const grid = withPane(row, 'b', { id: 'c', edge: 'bottom' })

test('splitting gives half of a pane’s room to the new one', () => {
  expect(rectanglesOf(grid)).toEqual(
    new Map([
      ['a', { left: 0, top: 0, width: 50, height: 100 }],
      ['b', { left: 50, top: 0, width: 50, height: 50 }],
      ['c', { left: 50, top: 50, width: 50, height: 50 }]
    ])
  )
  expect(panesOf(withPane(row, 'a', { id: 'c', edge: 'left' }))).toEqual(['c', 'a', 'b'])
})

test('in the same direction panes join the row instead of nesting', () => {
  const three = withPane(row, 'b', { id: 'c', edge: 'right' })
  expect(three).toEqual({
    split: 'row',
    parts: [
      { size: 50, node: a },
      { size: 25, node: { pane: 'b' } },
      { size: 25, node: { pane: 'c' } }
    ]
  })
})

test('what is closed leaves its room to the others, and the last split closes back', () => {
  expect(withoutPane(grid, 'c')).toEqual(row)
  const left = withoutPane(row, 'a')
  expect(left).toEqual({ pane: 'b' })
  expect(left && withoutPane(left, 'b')).toBeUndefined()
  const three = withPane(row, 'b', { id: 'c', edge: 'right' })
  expect([...rectanglesOf(withoutPane(three, 'a') ?? a).values()].map(({ width }) => width)).toEqual([50, 50])
})

test('keys go to the pane that lies straight ahead, and nowhere at the end', () => {
  expect(neighbourAt(grid, 'a', 'right')).toBe('b')
  expect(neighbourAt(grid, 'c', 'left')).toBe('a')
  expect(neighbourAt(grid, 'c', 'top')).toBe('b')
  expect(neighbourAt(grid, 'a', 'left')).toBeUndefined()
})

test('sizes are set where they were dragged', () => {
  const sized = withSizes(grid, [1], [30, 70])
  expect(rectanglesOf(sized).get('c')).toEqual({ left: 50, top: 30, width: 50, height: 70 })
})

test('a remembered layout loses what is gone, and is forgotten with its last split', () => {
  const splits = [grid, row].filter((node) => 'split' in node)
  expect(pruned(splits, ['a', 'b'])).toEqual([row, row])
  expect(pruned(splits, ['c', 'x'])).toEqual([])
})
