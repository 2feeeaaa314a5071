import { expect, test } from 'vitest'
import { decodeModes, encodeModes, PANE_STATE_FORMAT, PaneState } from './paneState'
import { exitStatus } from './paneWatch'

test('a title may hold the separator', () => {
  const count = PANE_STATE_FORMAT.split('|').length - 2
  const state = PaneState.from(['noise', `state|${Array.from({ length: count }, () => '7').join('|')}|a | b`])
  expect(state?.text('pane_title')).toBe('a | b')
  expect(state?.number('pane_width')).toBe(7)
  expect(PaneState.from(['noise'])).toBeUndefined()
})

test('modes come back as they were remembered; damage counts as none', () => {
  const modes = { bracketedPaste: true, focusReporting: false, cursorShape: 5 }
  expect(decodeModes(encodeModes(modes))).toEqual(modes)
  expect(decodeModes('garbage')).toEqual({ bracketedPaste: false, focusReporting: false, cursorShape: 0 })
})

test('an end is a code or a signal, by number or by name, or not known yet', () => {
  expect(exitStatus('3', '')).toEqual({ exitCode: 3, signal: null })
  expect(exitStatus('', '9')).toEqual({ exitCode: null, signal: 'SIGKILL' })
  expect(exitStatus('', 'TERM')).toEqual({ exitCode: null, signal: 'SIGTERM' })
  expect(exitStatus('', '')).toBeUndefined()
})
