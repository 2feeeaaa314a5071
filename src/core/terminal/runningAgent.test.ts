import { beforeEach, expect, test } from 'vitest'
import { RunningAgent } from './runningAgent'

const agent = 'Claude Code'
let isAtPrompt: boolean
let running: RunningAgent
let changes: number

beforeEach(() => {
  isAtPrompt = false
  changes = 0
  running = new RunningAgent({ isAtPrompt: () => isAtPrompt })
  running.onChange(() => changes++)
})

test('what an agent tells holds until it tells something else or is gone', () => {
  expect(running.current).toBeNull()
  running.report({ agent, state: 'working' })
  expect(running.current).toEqual({ name: agent, state: 'working', message: null, since: expect.stringMatching(/Z$/) })
  running.report({ agent, state: 'needs-you', message: 'May I?' })
  expect(running.current).toMatchObject({ state: 'needs-you', message: 'May I?' })
  expect(running.report({ agent, state: 'gone' })).toBe(true)
  expect(running.current).toBeNull()
  expect(running.report({ agent, state: 'gone' })).toBe(false)
  expect(changes).toBe(3)
})

test('a question that is told again keeps its first words and is no news', () => {
  running.report({ agent, state: 'needs-you', message: 'Which database?' })
  expect(running.report({ agent, state: 'needs-you', message: 'Claude needs your attention' })).toBe(false)
  expect(running.current?.message).toBe('Which database?')
  expect(changes).toBe(1)
})

test('the end of another turn is news, though nobody told that it began; a reminder of the end is not', () => {
  running.report({ agent, state: 'done', message: 'Renamed.' })
  expect(running.report({ agent, state: 'done' })).toBe(false)
  expect(running.current?.message).toBe('Renamed.')
  expect(running.report({ agent, state: 'done', message: 'Renamed.' })).toBe(true)
})

test('a question without words gets them when they are told', () => {
  running.report({ agent, state: 'needs-you' })
  expect(running.report({ agent, state: 'needs-you', message: 'May I?' })).toBe(true)
  expect(running.current?.message).toBe('May I?')
})

test('a key answers a question; nothing else is changed by it', () => {
  running.report({ agent, state: 'needs-you', message: 'May I?' })
  running.answered()
  expect(running.current).toMatchObject({ state: 'working', message: null })
  running.report({ agent, state: 'done', message: 'It is done.' })
  running.answered()
  expect(running.current).toMatchObject({ state: 'done', message: 'It is done.' })
})

test('a report that comes when the shell is at its prompt is about nobody', () => {
  isAtPrompt = true
  expect(running.report({ agent, state: 'done' })).toBe(false)
  expect(running.current).toBeNull()
})

test('hostile words become one short line of what can be seen', () => {
  const message = `a\x1b[31m\x07b\u202ec\u200b\n\r\nd\u2028e\u{e0041} <img src=x onerror=alert(1)> ${'x'.repeat(5_000)}`
  running.report({ agent: `\x1b]0;evil\x07${'n'.repeat(500)}`, state: 'needs-you', message })
  const { name = '', message: shown } = running.current ?? {}
  expect(shown).toMatch(/^a \[31m b c d e <img src=x onerror=alert\(1\)> x+…$/)
  expect([...(shown ?? '')].length).toBe(500)
  expect([...name].length).toBe(60)
  expect(`${shown}${name}`).not.toMatch(/\p{Cc}/u)
})
