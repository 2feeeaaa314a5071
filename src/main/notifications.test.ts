import { expect, test } from 'vitest'
import type { CommandRecord, ControlState } from '../shared/terminal'
import { askingNotice, finishedNotice, needsYouNotice } from './notifications'

const RULES = { notifications: 'all', notify_after: 10 } as const
const calm: ControlState = { holder: null, since: null, isTaken: false, needsPerson: false }
const asking = { ...calm, needsPerson: true }

function record(more: Partial<CommandRecord>): CommandRecord {
  const place = { id: 'c', terminalId: 't', actor: null, cwd: null, started: '', output: { from: 0, to: 1 } }
  return { ...place, command: 'make', durationMs: 20_000, exitCode: 0, running: false, ...more }
}

test('a terminal that begins to wait for the person is told once', () => {
  expect(needsYouNotice('db', { before: calm, now: asking, rules: RULES })).toMatchObject({ isUrgent: true })
  expect(needsYouNotice('db', { before: undefined, now: asking, rules: RULES })).toBeDefined()
  expect(needsYouNotice('db', { before: asking, now: asking, rules: RULES })).toBeUndefined()
  expect(needsYouNotice('db', { before: asking, now: calm, rules: RULES })).toBeUndefined()
})

test('a command is told of when it took long, and not when somebody stopped it', () => {
  expect(finishedNotice('api', record({}), RULES)).toMatchObject({ title: 'api: finished', body: 'make' })
  expect(finishedNotice('api', record({ exitCode: 2 }), RULES)).toMatchObject({ title: 'api: exit 2' })
  for (const exitCode of [130, 143]) expect(finishedNotice('api', record({ exitCode }), RULES)).toBeUndefined()
  expect(finishedNotice('api', record({ durationMs: 9_999 }), RULES)).toBeUndefined()
})

test('what the person does not want to hear is not said', () => {
  const rules = { ...RULES, notifications: 'needs-you' } as const
  expect(finishedNotice('api', record({}), rules)).toBeUndefined()
  expect(needsYouNotice('db', { before: calm, now: asking, rules })).toBeDefined()
  const none = { ...RULES, notifications: 'none' } as const
  expect(needsYouNotice('db', { before: calm, now: asking, rules: none })).toBeUndefined()
})

test('a long command is shown by its first line', () => {
  const notice = finishedNotice('api', record({ command: `echo ${'x'.repeat(500)}\nmore` }), RULES)
  expect(notice?.body.length).toBeLessThan(130)
  expect(notice?.body).not.toContain('\n')
})

test('the question of an agent is told with the place where it is asked', () => {
  const place = { project: '/work/acme-api', session: 'fix-login', name: 'tests' }
  const asks = { name: 'Claude Code', state: 'needs-you', message: 'May I run make?', since: '' } as const
  expect(askingNotice(place, asks, RULES)).toEqual({
    title: 'acme-api / fix-login · tests',
    body: 'May I run make?',
    isUrgent: true
  })
  expect(askingNotice(place, { ...asks, message: null }, RULES)?.body).toBe('Claude Code needs you.')
  expect(askingNotice(place, { ...asks, state: 'done' }, RULES)).toBeUndefined()
  expect(askingNotice(place, asks, { ...RULES, notifications: 'none' })).toBeUndefined()
})
