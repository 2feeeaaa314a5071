import { expect, test } from 'vitest'
import { CommandRecords } from './commandRecords'
import { ShellWatch } from './shellWatch'
import { AGENT, PERSON } from './terminals.testing'
import { hasEnter, isTyping } from './typing'

const ID = '01234567-89ab-4def-8123-456789abcdef'
const NONCE = 'a'.repeat(32)

function started(records: CommandRecords, command: string): void {
  records.start({ actor: null, command, cwd: '/', from: 0 })
}

test('the newest 200 commands are kept, each with an id of its own', () => {
  const records = new CommandRecords(ID)
  for (let number = 1; number <= 250; number++) {
    started(records, `echo ${number}`)
    records.end({ exitCode: 0, to: number, wasSeen: true })
  }
  const all = records.all()
  expect([all.length, all[0]?.command, all.at(-1)?.command]).toEqual([200, 'echo 51', 'echo 250'])
  expect(new Set(all.map(({ id }) => id)).size).toBe(200)
})

test('a huge line is cut', () => {
  const records = new CommandRecords(ID)
  started(records, 'x'.repeat(1_000_000))
  expect(records.current?.command.length).toBe(16_385)
})

test('the next host goes on with the one that runs', () => {
  const records = new CommandRecords(ID)
  started(records, 'sleep 9')
  const next = new CommandRecords(ID)
  next.restore(JSON.parse(JSON.stringify(records.kept)))
  expect(next.current).toMatchObject({ command: 'sleep 9', running: true })
  next.end({ exitCode: 5, to: 9, wasSeen: true })
  started(next, 'true')
  expect(next.all()).toMatchObject([{ exitCode: 5, running: false }, { running: true }])
  expect(next.all()[0]?.id).not.toBe(next.all()[1]?.id)
})

function newWatch(): { watch: ShellWatch; say(text: string): void } {
  let length = 0
  const watch = new ShellWatch({
    terminalId: ID,
    nonce: NONCE,
    isExpected: true,
    kept: undefined,
    pass: (bytes) => {
      length += bytes.length
    },
    offset: () => length
  })
  const mark = (_: string, letter: string, rest: string) => `\x1b]133;${letter};tandem=${NONCE}${rest}\x07`
  return { watch, say: (text) => watch.push(Buffer.from(text.replace(/<([ABCD])([^>]*)>/g, mark))) }
}

test('a command belongs to whoever pressed Enter, with exactly the bytes it printed', () => {
  const { watch, say } = newWatch()
  expect(watch.state).toMatchObject({ isIntegrated: true, state: 'running' })
  say('<A>$ <B>')
  expect([watch.state.state, watch.isIdle]).toEqual(['prompt', true])
  watch.entered(PERSON)
  expect(watch.isIdle).toBe(false)
  say('ls\r\n<C;ls;>one\r\n')
  expect(watch.commands.current).toMatchObject({ actor: PERSON, command: 'ls', output: { from: 6, to: null } })
  say('<D;3><A>$ <B>')
  expect(watch.commands.all()).toMatchObject([{ exitCode: 3, output: { from: 6, to: 11 }, running: false }])
})

test('a line that was typed where nothing is shown is not recorded', () => {
  const { watch, say } = newWatch()
  say('<A>$ <B>')
  watch.entered(AGENT)
  say('\r\n\x1b[?2004l\r<C;hunter2;>out<D;0><A>$ <B>')
  expect(watch.commands.all()).toEqual([])
  expect(watch.state.state).toBe('prompt')
})

test('a prompt that is only printed ends nothing; one drawn by a shell that lost its other hooks does', () => {
  const { watch, say } = newWatch()
  say('<A>$ <B>x\r\n<C;x;>printed <B> more')
  expect(watch.commands.current?.running).toBe(true)
  say('<B;4>')
  expect(watch.commands.all()).toMatchObject([{ exitCode: 4, running: false }])
})

test('the same line again is told from one that is to be forgotten by what was shown', () => {
  const { watch, say } = newWatch()
  say('<A>$ <B>ls\r\n<C;ls;repeat><D;0><A>$ <B> ls secret\r\n<C;ls;repeat><D;0><A>$ <B>')
  expect(watch.commands.all().map(({ command }) => command)).toEqual(['ls', ''])
})

test.each(['\x1b[I', '\x1b[O', '\x1b[<35;10;5M', '\x1b[I\x1b[<39;1;1M', '\x1b[MC!!'])('%j is not typing', (bytes) => {
  expect(isTyping(Buffer.from(bytes))).toBe(false)
})

test.each(['a', '\r', '\x1b', '\x1b[A', '\x1bOP', '\x1b[<0;10;5M', '\x1b[Ia', '\x1b[<64;1;1M'])(
  '%j is typing',
  (bytes) => {
    expect(isTyping(Buffer.from(bytes))).toBe(true)
    expect(hasEnter(Buffer.from(bytes))).toBe(bytes === '\r')
  }
)

test('of several that a killed host knew as running only those that can still run are', () => {
  const records = new CommandRecords(ID)
  started(records, 'make')
  records.startInside({ actor: null, command: 'ls', cwd: null, from: 5 })
  const kept = JSON.parse(JSON.stringify(records.kept))
  const inside = new CommandRecords(ID)
  inside.restore(kept, { isInside: true })
  inside.endInside({ exitCode: 3, to: 9, wasSeen: true })
  expect(inside.all()).toMatchObject([
    { command: 'make', running: true },
    { command: 'ls', exitCode: 3, running: false }
  ])
  expect(inside.current).toMatchObject({ command: 'make' })
  const alone = new CommandRecords(ID)
  alone.restore(kept)
  expect(alone.all()).toMatchObject([
    { command: 'make', running: false },
    { command: 'ls', running: true }
  ])
})
