import { expect, test } from 'vitest'
import { actionText, duration, endOf } from './historyText'

test('durations are as exact as anyone reads them', () => {
  expect([0, 999, 1_000, 12_449, 59_960, 134_000].map(duration)).toEqual([
    '0 ms',
    '999 ms',
    '1.0 s',
    '12.4 s',
    '1 m 0 s',
    '2 m 14 s'
  ])
})

test('the end of a command is a shape and words', () => {
  const command = { kind: 'command', command: 'make', durationMs: 12_400, running: false } as const
  expect(endOf({ ...command, exitCode: 1 })).toEqual({ mark: 'failed', words: 'exit 1 · 12.4 s' })
  expect(endOf({ ...command, exitCode: 0 })).toEqual({ mark: 'done', words: 'exit 0 · 12.4 s' })
  expect(endOf({ ...command, exitCode: null, durationMs: null, running: true })).toEqual({
    mark: 'working',
    words: 'running'
  })
})

test('what is done often in a row says how often; a tool without words of its own goes by its name', () => {
  expect(actionText({ kind: 'action', action: 'take', outcome: 'OK', times: 1 })).toBe('took control')
  expect(actionText({ kind: 'action', action: 'terminal__send', outcome: 'OK', times: 3 })).toBe('typed, 3 times')
  expect(actionText({ kind: 'action', action: 'fly', outcome: 'OK', times: 1 })).toBe('used fly')
})
