import { expect, test } from 'vitest'
import { tools } from '../core/tools'
import { logRow } from './logRow'
import { strings } from './strings'

const entry = { id: 1, time: '2026-03-04T05:06:07.890Z', actor: { token: 'owner', client: 'codex' }, outcome: 'OK' }
const terminal = { id: '0f8a539b-73de-49a9-9feb-e346fed12f24', name: 'tests' }

test('who did what in which terminal is told in words, by the clock on the wall', () => {
  const [time, ...told] = logRow({ ...entry, action: 'execute_shell', terminal, project: '/p', session: 'default' })
  expect(told).toEqual(['codex', 'ran a command', 'tests (sess_0f8a539b)', '/p (default)', 'OK'])
  expect(new Date(time ?? '').getTime()).toBe(Date.parse('2026-03-04T05:06:07Z'))
})

test('a token of its own is named, and what was refused says why', () => {
  const robot = { ...entry, actor: { token: 'robot', client: 'codex' }, action: 'kill', outcome: 'UNAUTHORIZED' }
  expect(logRow(robot).slice(1)).toEqual(['codex (token robot)', 'ended', '-', '-', 'refused: UNAUTHORIZED'])
})

test('every tool that changes something has words; what is not known keeps its name', () => {
  const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name)
  const words: Readonly<Record<string, string>> = strings.logActions
  // These go by the words of the window: create, rename, reorder, kill.
  const isCollab = (name: string) => /^terminal_[a-z]/.test(name)
  expect(changing.filter((name) => !isCollab(name) && words[name] === undefined)).toEqual([])
  expect(logRow({ ...entry, action: 'constructor' })[2]).toBe('constructor')
})
