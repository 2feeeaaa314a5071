import { Terminal } from '@xterm/xterm'
import { expect, test } from 'vitest'
import type { CommandRecord } from '../../../shared/terminal'
import { terminalLines, textSections } from './textSections'

const record = (command: string): CommandRecord => ({
  id: command,
  terminalId: 't',
  actor: null,
  command,
  cwd: null,
  started: '',
  durationMs: 1,
  exitCode: 0,
  running: false,
  output: { from: 0, to: null }
})

test('lines that the screen broke are whole, and the empty rest of the screen is left out', async () => {
  const xterm = new Terminal({ allowProposedApi: true, cols: 10, rows: 5 })
  await new Promise<void>((resolve) => xterm.write('a line of twenty-four cells\r\n\r\nend\r\n', resolve))
  expect(terminalLines(xterm)).toEqual(['a line of twenty-four cells', '', 'end'])
  xterm.dispose()
})

test('each command has its own section, in order, with what was there before at the top', () => {
  const lines = ['welcome', '$ echo one', 'one', '$ echo one', 'one', '$ ']
  const sections = textSections(lines, [record('echo one'), record('gone'), record('echo one')])
  expect(sections.map((section) => [section.record?.command, section.text])).toEqual([
    [undefined, 'welcome'],
    ['echo one', 'one'],
    ['echo one', 'one\n$ ']
  ])
})

test('without records the text is one section', () => {
  expect(textSections(['a', 'b'], [])).toEqual([{ record: undefined, text: 'a\nb' }])
})
