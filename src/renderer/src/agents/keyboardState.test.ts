import { expect, test } from 'vitest'
import { keyboardOf, nextStep } from './keyboardState'

const person = { kind: 'person', name: 'owner' } as const
const agent = { kind: 'agent', name: 'tester', key: 'k' } as const
const times = { startedAt: null, endedAt: null, lastDurationMs: null }
const calm = { id: 'a', isWorking: false, lastExitCode: null, cwd: null, ...times, printed: 0, bells: 0 }
const free = { ...calm, needsPerson: false, holder: null, isTaken: false, agent: null, watchers: [], agentState: null }

test('a person alone in a terminal reads nothing about control; where an agent was, they do', () => {
  expect(keyboardOf(undefined)).toEqual({ kind: 'free' })
  expect(keyboardOf({ ...free, holder: person })).toEqual({ kind: 'free' })
  expect(keyboardOf({ ...free, holder: person, agent })).toEqual({ kind: 'you', waiting: agent })
  expect(keyboardOf({ ...free, holder: person, isTaken: true })).toEqual({ kind: 'you', waiting: null })
  expect(keyboardOf({ ...free, holder: agent, agent })).toEqual({ kind: 'agent', agent })
})

test('a hidden prompt goes before everything else', () => {
  expect(keyboardOf({ ...free, holder: agent, agent, needsPerson: true })).toEqual({ kind: 'needsYou' })
})

test('what is held is given back, everything else is taken', () => {
  expect(nextStep({ kind: 'you', waiting: null })).toBe('giveBack')
  expect(nextStep({ kind: 'agent', agent })).toBe('take')
  expect(nextStep({ kind: 'free' })).toBe('take')
})

test('the question of an agent that runs there is said, behind a hidden prompt and who types or has taken the keyboard', () => {
  const agentState = { name: 'Claude Code', state: 'needs-you', message: 'May I?\u202e', since: '' } as const
  const question = { agent: 'Claude Code', text: 'May I?' }
  expect(keyboardOf({ ...free, agentState })).toEqual({ kind: 'needsYou', question })
  expect(keyboardOf({ ...free, agentState: { ...agentState, message: null } })).toEqual({
    kind: 'needsYou',
    question: { agent: 'Claude Code', text: 'Claude Code needs you' }
  })
  expect(keyboardOf({ ...free, agentState, needsPerson: true })).toEqual({ kind: 'needsYou' })
  expect(keyboardOf({ ...free, agentState, holder: agent, agent })).toEqual({ kind: 'agent', agent })
  expect(keyboardOf({ ...free, agentState, holder: person, isTaken: true })).toEqual({ kind: 'you', waiting: null })
  expect(keyboardOf({ ...free, agentState: { ...agentState, state: 'done' } })).toEqual({ kind: 'free' })
})
