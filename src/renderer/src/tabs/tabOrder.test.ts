import { expect, test } from 'vitest'
import type { TerminalSession } from '../../../shared/terminal'
import { activeIn, moved, neighbourOf } from './tabOrder'

// Only the ids matter to the order.
const tabs = ['a', 'b', 'c'].map((id) => ({ id }) as TerminalSession)

test('one entry moves and the others keep their order', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
})

test('a move past an end stops at the end, and one from nowhere changes nothing', () => {
  expect(moved(['a', 'b', 'c'], 1, 9)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 7, 0)).toEqual(['a', 'b', 'c'])
})

test('closing a tab leads to its right neighbour, else the left, else nowhere', () => {
  expect(neighbourOf(tabs, 'b')).toBe('c')
  expect(neighbourOf(tabs, 'c')).toBe('b')
  expect(neighbourOf(tabs.slice(0, 1), 'a')).toBeNull()
})

test('the active tab stays; without one the last visit counts, then the first tab', () => {
  expect(activeIn(tabs, { active: 'b', remembered: 'c' })).toBe('b')
  expect(activeIn(tabs, { active: null, remembered: 'c' })).toBe('c')
  expect(activeIn(tabs, { active: 'gone', remembered: 'gone' })).toBe('a')
  expect(activeIn([], { active: 'a', remembered: 'a' })).toBeNull()
})
