import { expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { FakeBackend } from '../backends/fakeBackend'
import { silentLog } from '../log'
import { look, newEmulator } from './streams.testing'
import { AGENT, newSpec, newTerminals, openTerminal, PERSON, RecordingSink, until } from './terminals.testing'

test('the emulator sees every byte once and in order, however it is cut', async () => {
  const { terminal, program } = await openTerminal()
  const bytes = Buffer.from('é日👩\x1b[31mred\x1b[0m \x1b]0;title\x07plain\r\n'.repeat(50))
  for (let index = 0; index < bytes.length; index += 3) program.emit(bytes.subarray(index, index + 3))
  const joined = newEmulator()
  joined.write((await terminal.screen.snapshot()).bytes)
  const direct = newEmulator()
  direct.write(bytes)
  expect(look(joined)).toEqual(look(direct))
  expect(terminal.log.read(0, 1_000_000).bytes).toEqual(bytes)
  expect(terminal.title).toBe('title')
})

test('whoever types goes the same way in', async () => {
  const { terminal, program } = await openTerminal()
  await terminal.write(Buffer.from('ls\r'), AGENT)
  await terminal.write(Buffer.from('pwd\r'), PERSON)
  expect(program.heard).toEqual(['ls\r', 'pwd\r'])
})

test('an exit is reported with its code, and writing is refused with it', async () => {
  const { terminal, program } = await openTerminal()
  program.finish(3)
  expect(terminal.state).toBe('exited')
  expect(terminal.exit).toEqual({ exitCode: 3, signal: null })
  await expect(terminal.write(Buffer.from('x'), PERSON)).rejects.toMatchObject({
    code: 'PROCESS_EXITED',
    message: 'Process has exited with code 3'
  })
  expect(program.heard).toEqual([])
})

test('a program killed by a signal says which', async () => {
  const { terminal, program } = await openTerminal()
  program.finish(null, 'SIGKILL')
  await expect(terminal.write(Buffer.from('x'), PERSON)).rejects.toMatchObject({
    message: 'Process has exited with signal SIGKILL'
  })
})

test.each(['lost', 'unknown'] as const)(
  'a terminal that is %s refuses to be typed into, and says so',
  async (presence) => {
    const { terminal, program } = await openTerminal()
    program.setPresence(presence)
    expect(terminal.state).toBe(presence)
    await expect(terminal.write(Buffer.from('x'), PERSON)).rejects.toMatchObject({ code: 'SESSION_ERROR' })
    program.setPresence('ok')
    expect(terminal.state).toBe('running')
    await terminal.write(Buffer.from('x'), PERSON)
    expect(program.heard).toEqual(['x'])
  }
)

test('the size is that of the viewer last active, and stays when it leaves', async () => {
  const { terminal, program } = await openTerminal()
  expect(terminal.size).toEqual({ rows: 6, cols: 20 })
  terminal.view(new RecordingSink())
  expect(program.resizes).toEqual([])
  const first = terminal.view(new RecordingSink(), { size: { rows: 10, cols: 50 } })
  await until(() => terminal.size.cols === 50)
  const second = terminal.view(new RecordingSink(), { size: { rows: 20, cols: 90 } })
  await until(() => terminal.size.cols === 90)
  await first.input(Buffer.from('x'), PERSON)
  await until(() => terminal.size.cols === 50)
  second.resize({ rows: 21, cols: 91 })
  await until(() => terminal.size.cols === 91)
  second.close()
  expect(terminal.size).toEqual({ rows: 21, cols: 91 })
  expect(program.size).toEqual({ rows: 21, cols: 91 })
})

test('a storm of resizes ends at the newest, without each one in between', async () => {
  const { terminal, program } = await openTerminal()
  const viewer = terminal.view(new RecordingSink())
  for (let cols = 30; cols < 130; cols++) viewer.resize({ rows: 10, cols })
  await until(() => terminal.size.cols === 129)
  expect(program.resizes.length).toBeLessThan(5)
})

test.each([
  { rows: 0, cols: 80 },
  { rows: 24, cols: 1 },
  { rows: 501, cols: 80 },
  { rows: 24.5, cols: 80 },
  { rows: Number.NaN, cols: 80 }
])('the size $cols x $rows is refused by name', async (size) => {
  const { terminal, program } = await openTerminal()
  await expect(terminal.resize(size)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENTS',
    message: `Size "${size.cols}x${size.rows}" cannot be used`
  })
  terminal.view(new RecordingSink(), { size })
  expect(program.resizes).toEqual([])
})

test('a size that the backend refuses leaves the screen as it was', async () => {
  const { terminal, backend } = await openTerminal()
  backend.fail('resize', new AppError('TMUX_UNRESPONSIVE', 'tmux did not answer'))
  await expect(terminal.resize({ rows: 9, cols: 33 })).rejects.toMatchObject({ code: 'TMUX_UNRESPONSIVE' })
  expect(terminal.size).toEqual({ rows: 6, cols: 20 })
  backend.fail('resize', undefined)
  await terminal.resize({ rows: 9, cols: 33 })
  expect((await terminal.screen.snapshot()).size).toEqual({ rows: 9, cols: 33 })
})

test('a restored screen replaces the old one for everybody, and the log notes the gap', async () => {
  const { terminal, program } = await openTerminal()
  const sink = new RecordingSink()
  terminal.view(sink)
  program.emit('before')
  await until(() => sink.deliveries.length > 0)
  program.restore({ bytes: 'picture', pending: Buffer.from('\x1b[3') })
  program.emit('1mred')
  await until(() => sink.of('snapshot').some(({ snapshot }) => snapshot.bytes.includes(Buffer.from('pictur')[0] ?? 0)))
  await terminal.screen.caughtUp()
  expect(terminal.screen.text()[0]).toBe('picturered')
  const first = terminal.log.read(0, 100)
  expect(first.bytes.toString()).toBe('before')
  const second = terminal.log.read(first.next, 100)
  expect(second.droppedExact).toBe(false)
  expect(second.bytes.toString()).toBe('\x1b[31mred')
})

test('a screen too far behind is restored from the backend', async () => {
  const { terminal, program } = await openTerminal({ scrollback_limit: 100 })
  program.picture = 'as it is now'
  const megabyte = Buffer.alloc(1_000_000, 'x')
  for (let sent = 0; sent < 30; sent++) program.emit(megabyte)
  expect(program.resyncs).toBe(0)
  for (let sent = 0; sent < 10; sent++) program.emit(megabyte)
  await until(() => program.resyncs === 1)
  program.emit('!')
  await terminal.screen.caughtUp()
  expect(terminal.screen.text()[0]).toBe('as it is now!')
})

test('a screen that could not be restored is told of with its terminal', async () => {
  const warnings: object[] = []
  const backend = new FakeBackend('pty')
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) }
  const terminal = await newTerminals(backend, {}, log).create(newSpec())
  const failure = new AppError('TMUX_UNRESPONSIVE', 'tmux does not answer')
  backend.fail('resync', failure)
  backend.program().emit(Buffer.alloc(9_000_000, 'x'))
  await until(() => warnings.length > 0)
  expect(warnings).toEqual([{ err: failure, terminal: terminal.id }])
})

test('offsets are set aside before the log reaches them', async () => {
  const { program, terminal } = await openTerminal({ buffer_bytes: 4096, scrollback_limit: 10 })
  const megabyte = Buffer.alloc(1_000_000, 'x')
  for (let sent = 0; sent < 70; sent++) {
    program.emit(megabyte)
    await Promise.resolve()
    expect(program.reservedOffset).toBeGreaterThan(terminal.log.end)
  }
})

test('modes that the backend does not keep are remembered once they settle', async () => {
  const { program } = await openTerminal()
  program.emit('\x1b[?2004h\x1b[5 q')
  await until(() => program.modes.bracketedPaste)
  expect(program.modes).toEqual({ bracketedPaste: true, focusReporting: false, cursorShape: 5 })
})

test('the emulator answers for pty terminals and stays silent for tmux terminals', async () => {
  const tmux = await openTerminal()
  tmux.program.emit('\x1b[6n')
  const pty = await openTerminal({}, new FakeBackend('pty'))
  pty.program.emit('\x1b[6n')
  await until(() => pty.program.heard.length > 0)
  expect(pty.program.heard).toEqual(['\x1b[1;1R'])
  expect(tmux.program.heard).toEqual([])
})

test('a killed terminal tells its viewers and refuses keys', async () => {
  const { terminal, program } = await openTerminal()
  const sink = new RecordingSink()
  terminal.view(sink)
  await until(() => sink.deliveries.length > 0)
  await terminal.kill({ force: true })
  expect(program.killed).toEqual({ force: true })
  await until(() => sink.of('ended').length === 1)
  await expect(terminal.write(Buffer.from('x'), PERSON)).rejects.toMatchObject({ code: 'PROCESS_EXITED' })
})

test('changes of state, title and size are announced', async () => {
  const { terminal, program } = await openTerminal()
  const heard: string[] = []
  const stop = terminal.onChange(() => heard.push(`${terminal.state} ${terminal.title} ${terminal.size.cols}`))
  program.emit('\x1b]2;one\x07')
  await terminal.resize({ rows: 6, cols: 30 })
  program.finish(0)
  stop()
  program.setPresence('lost')
  expect(heard).toEqual(['running one 20', 'running one 30', 'exited one 30'])
})
