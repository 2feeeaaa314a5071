import { expect, test } from 'vitest'
import { durationText } from '../durationText'
import { strings } from '../strings'
import { actionText, endOf, refusalText } from './historyText'

test('the end of a command is a shape and words', () => {
  const command = { kind: 'command', command: 'make', durationMs: 12_400, running: false } as const
  expect(endOf({ ...command, exitCode: 1 })).toEqual({ mark: 'failed', words: 'exit 1 · 12.4 s' })
  expect(endOf({ ...command, exitCode: 0 })).toEqual({ mark: 'done', words: 'exit 0 · 12.4 s' })
  expect(endOf({ ...command, exitCode: null, durationMs: null, running: true })).toEqual({
    mark: 'working',
    words: 'running'
  })
  expect(endOf({ ...command, exitCode: 1, durationMs: 4_000 }).words).toBe(`exit 1 · ${durationText(4_000)}`)
})

test('what was refused was only tried, and the reason is words, not a code', () => {
  const refused = { kind: 'action', action: 'execute_shell', outcome: 'HUMAN_HAS_CONTROL', times: 1 } as const
  expect(actionText(refused)).toBe('tried to run a command')
  expect(refusalText(refused)).toBe('refused: you had the keyboard')
  expect(refusalText({ ...refused, outcome: 'IO_ERROR' })).toBe('failed: it could not be read or written')
  expect(refusalText({ ...refused, outcome: 'OK' })).toBeUndefined()
  expect(Object.keys(strings.activity.tries)).toEqual(Object.keys(strings.activity.actions))
})

test('a new name, a new session and a connected agent are told', () => {
  const told = (action: string, to: string) => actionText({ kind: 'action', action, outcome: 'OK', times: 1, to })
  expect(told('rename', 'tests')).toBe('renamed the terminal to “tests”')
  expect(told('move', 'other')).toBe('moved the terminal to session other')
  expect(told('connect', 'Claude Code')).toBe('connected Claude Code')
})

test('what is done often in a row says how often; a tool without words of its own goes by its name', () => {
  expect(actionText({ kind: 'action', action: 'take', outcome: 'OK', times: 1 })).toBe('took control')
  expect(actionText({ kind: 'action', action: 'terminal__send', outcome: 'OK', times: 3 })).toBe('typed, 3 times')
  expect(actionText({ kind: 'action', action: 'fly', outcome: 'OK', times: 1 })).toBe('used fly')
})
