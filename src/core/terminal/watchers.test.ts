import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Watchers } from './watchers'

const QUIET_MS = 60_000
let changes: number
let watchers: Watchers

beforeEach(() => {
  vi.useFakeTimers()
  changes = 0
  watchers = new Watchers(() => changes++)
})
afterEach(() => {
  watchers.close()
  vi.useRealTimers()
})

const agent = (name: string) => ({ kind: 'agent', name, key: name }) as const
const names = () => watchers.agents.map(({ name }) => name)

test('an agent that read is there until it has been quiet for a while', () => {
  watchers.look(agent('codex'))()
  expect(names()).toEqual(['codex'])
  vi.advanceTimersByTime(QUIET_MS - 1)
  expect(names()).toEqual(['codex'])
  vi.advanceTimersByTime(1)
  expect(names()).toEqual([])
})

test('one that reads again and again is told once when it comes and once when it goes', () => {
  for (let read = 0; read < 600; read++) {
    watchers.look(agent('codex'))()
    vi.advanceTimersByTime(500)
  }
  expect([names(), changes]).toEqual([['codex'], 1])
  vi.advanceTimersByTime(2 * QUIET_MS)
  expect([names(), changes]).toEqual([[], 2])
})

test('a read that waits and a subscription count for as long as they last', () => {
  const first = watchers.look(agent('codex'))
  const second = watchers.look(agent('codex'))
  vi.advanceTimersByTime(10 * QUIET_MS)
  first()
  vi.advanceTimersByTime(10 * QUIET_MS)
  expect(names()).toEqual(['codex'])
  second()
  second()
  vi.advanceTimersByTime(QUIET_MS)
  expect(names()).toEqual([])
})

test('who types does not merely look, unless it looks on', () => {
  watchers.look(agent('claude'))()
  const looked = watchers.look(agent('codex'))
  watchers.typed(agent('claude'))
  watchers.typed(agent('codex'))
  expect(names()).toEqual(['codex'])
  looked()
  watchers.typed(agent('codex'))
  expect(names()).toEqual([])
})

test('of very many only the latest are kept', () => {
  for (let number = 1; number <= 100; number++) {
    watchers.look(agent(`agent ${number}`))()
    vi.advanceTimersByTime(1)
  }
  expect(names()).toHaveLength(16)
  expect(names().at(-1)).toBe('agent 100')
})
