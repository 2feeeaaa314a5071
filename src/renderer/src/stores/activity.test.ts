import { expect, test } from 'vitest'
import type { TerminalSession } from '../../../shared/terminal'
import { markOf } from './activity'

const live = { backend: 'tmux', cwd: '/p', program: '/bin/sh', pid: 1, exitCode: null } as const
const tab: TerminalSession = {
  id: 'a',
  name: 'a',
  tmuxSession: 'mc-a',
  created: '',
  order: 0,
  state: 'running',
  ...live
}
const nobody = { holder: null, isTaken: false, agent: null, watchers: [], agentState: null }
const times = { startedAt: null, endedAt: null, lastDurationMs: null }
const calm = {
  id: 'a',
  isWorking: false,
  needsPerson: false,
  lastExitCode: 0,
  cwd: null,
  ...times,
  printed: 10,
  bells: 0,
  ...nobody
}

test('what has been seen is at rest; what came later is marked by what it was', () => {
  expect(markOf(tab, undefined, undefined)).toBe('idle')
  expect(markOf(tab, calm, calm)).toBe('idle')
  expect(markOf(tab, { ...calm, printed: 20 }, calm)).toBe('news')
  expect(markOf(tab, { ...calm, isWorking: true }, calm)).toBe('working')
  expect(markOf(tab, { ...calm, printed: 20, lastDurationMs: 40 }, calm)).toBe('done')
  expect(markOf(tab, { ...calm, printed: 20 }, undefined)).toBe('done')
  const atWork = { ...calm, isWorking: true }
  expect(markOf(tab, { ...calm, printed: 20 }, atWork)).toBe('done')
  expect(markOf(tab, { ...calm, printed: 20, lastExitCode: 2 }, atWork)).toBe('failed')
})

test('a question goes before a bell, a bell before work, an end before all', () => {
  const busy = { ...calm, isWorking: true, bells: 1, needsPerson: true }
  expect(markOf(tab, busy, calm)).toBe('needsYou')
  expect(markOf(tab, { ...busy, needsPerson: false }, calm)).toBe('bell')
  expect(markOf({ ...tab, state: 'exited', exitCode: 1 }, busy, calm)).toBe('failed')
  expect(markOf({ ...tab, state: 'exited', exitCode: 0 }, busy, calm)).toBe('exited')
  expect(markOf({ ...tab, state: 'lost' }, busy, calm)).toBe('lost')
})

test('an agent that runs there is marked as it says itself, and done only until somebody looks', () => {
  const agent = (state: 'working' | 'needs-you' | 'done' | 'idle', since = '1') => ({
    ...calm,
    isWorking: state === 'working',
    printed: 20,
    agentState: { name: 'Claude Code', state, message: null, since }
  })
  const started = { ...calm, isWorking: true }
  expect(markOf(tab, agent('needs-you'), calm)).toBe('needsYou')
  expect(markOf(tab, agent('working'), calm)).toBe('working')
  expect(markOf(tab, agent('done'), agent('working'))).toBe('done')
  expect(markOf(tab, agent('done'), agent('done'))).toBe('idle')
  expect(markOf(tab, agent('done', '2'), agent('done', '1'))).toBe('done')
  // Its program has begun and still runs: nothing has ended.
  expect(markOf(tab, agent('idle'), started)).toBe('news')
})
