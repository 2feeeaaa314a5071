import { expect, test } from 'vitest'
import type { CommandRecord } from '../../../shared/terminal'
import { findCommands } from './commandLines'

const lines = (...texts: string[]) => texts.map((text, index) => ({ row: index * 10, text }))
const ran = (command: string): CommandRecord => ({
  id: command,
  terminalId: 't',
  actor: null,
  command,
  cwd: null,
  started: '',
  durationMs: null,
  exitCode: 0,
  running: false,
  output: { from: 0, to: 0 }
})
const rows = (texts: string[], commands: string[]) =>
  findCommands(lines(...texts), commands.map(ran)).map(({ record, row }) => [record.id, row])

test('commands are found in their order, each after the one before', () => {
  expect(rows(['$ ls', 'src', '$ ls', '$ pwd'], ['ls', 'ls', 'pwd'])).toEqual([
    ['ls', 0],
    ['ls', 20],
    ['pwd', 30]
  ])
})

test('a line of output that only ends alike is no command', () => {
  expect(rows(['utils', 'false_ls', '$ ls'], ['ls'])).toEqual([['ls', 20]])
})

test('a command that is not shown, or has no text, leaves the others where they are', () => {
  expect(rows(['$ one', '$ three'], ['one', '', 'two', 'three'])).toEqual([
    ['one', 0],
    ['three', 10]
  ])
})

test('of a command with several lines the first one counts', () => {
  expect(rows(['$ for i in 1 2; do', '> echo $i; done'], ['for i in 1 2; do\necho $i; done'])).toEqual([
    ['for i in 1 2; do\necho $i; done', 0]
  ])
})
