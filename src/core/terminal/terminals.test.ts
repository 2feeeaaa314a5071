import { expect, test, vi } from 'vitest'
import { AppError } from '../../shared/errors'
import { silentLog } from '../log'
import { OFFSET_STEP_BYTES } from './offsetReservation'
import { newSpec, newTerminals, openTerminal, PERSON, RecordingSink, until } from './terminals.testing'

test('a terminal is found by its id, its short form and its tmux name', async () => {
  const { terminals, terminal } = await openTerminal()
  await terminals.create(newSpec())
  for (const handle of [terminal.id, `sess_${terminal.id.slice(0, 8)}`, terminal.tmuxSession]) {
    expect(terminals.byHandle(handle)).toBe(terminal)
  }
  for (const handle of ['', 'sess_', terminal.id.slice(0, 8), `sess_${terminal.id.slice(0, 7)}`, 'nope']) {
    expect(terminals.byHandle(handle)).toBeUndefined()
  }
})

test('a short form that two terminals share names neither', async () => {
  const { terminals, terminal } = await openTerminal()
  const twin = newSpec()
  twin.stamp.id = terminal.id.slice(0, 9) + twin.stamp.id.slice(9)
  await terminals.create(twin)
  expect(terminals.byHandle(`sess_${terminal.id.slice(0, 8)}`)).toBeUndefined()
})

test('a program that does not start leaves no terminal behind', async () => {
  const { terminals, backend } = await openTerminal()
  backend.fail('create', new AppError('TMUX_UNAVAILABLE', 'tmux is not installed'))
  await expect(terminals.create(newSpec())).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
  expect(terminals.all()).toHaveLength(1)
})

test('after the host died a terminal goes on at the reserved offset with its screen and modes', async () => {
  const { backend, terminal, program } = await openTerminal()
  program.emit('before the crash\x1b[?2004h')
  await until(() => program.modes.bracketedPaste)
  program.picture = 'before the crash'
  backend.crash()
  const next = newTerminals(backend)
  const [living] = await next.listLiving()
  if (!living) throw new Error('the program should be alive')
  const adopted = await next.adopt(living)
  await adopted.screen.caughtUp()
  expect(adopted.id).toBe(terminal.id)
  expect(adopted.screen.text()[0]).toBe('before the crash')
  expect(adopted.screen.modes.bracketedPaste).toBe(true)
  expect(adopted.log.start).toBe(OFFSET_STEP_BYTES)
  expect(program.reservedOffset).toBe(2 * OFFSET_STEP_BYTES)
  program.emit(' and after')
  expect(adopted.log.read(terminal.log.end, 100)).toMatchObject({
    from: OFFSET_STEP_BYTES,
    droppedExact: false,
    bytes: Buffer.from(' and after')
  })
  const sink = new RecordingSink()
  adopted.view(sink, { from: terminal.log.end })
  await until(() => sink.deliveries.length > 0)
  expect(sink.deliveries[0]?.kind).toBe('snapshot')
})

test('what has ended has nothing to remember: adopting it warns of nothing', async () => {
  const { backend, program } = await openTerminal()
  program.emit('\x1b[?2004h')
  await until(() => program.modes.bracketedPaste)
  backend.crash()
  program.finish(3)
  const warnings: string[] = []
  const log = { ...silentLog, warn: (_about: object, message: string) => void warnings.push(message) }
  const next = newTerminals(backend, {}, log)
  const [living] = await next.listLiving()
  if (!living) throw new Error('the program should be there')
  const adopted = await next.adopt({ ...living, modes: { ...living.modes, bracketedPaste: false } })
  expect(adopted.state).toBe('exited')
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(warnings).toEqual([])
})

test('adopting twice, even at once, gives one terminal', async () => {
  const { backend } = await openTerminal()
  backend.crash()
  const next = newTerminals(backend)
  const [living] = await next.listLiving()
  if (!living) throw new Error('the program should be alive')
  const [one, other] = await Promise.all([next.adopt(living), next.adopt(living)])
  expect(one).toBe(other)
  expect(await next.adopt(living)).toBe(one)
})

test('no answer is not an empty list', async () => {
  const { backend, terminals } = await openTerminal()
  backend.fail('list', new AppError('TMUX_UNRESPONSIVE', 'tmux did not answer'))
  await expect(terminals.listLiving()).rejects.toMatchObject({ code: 'TMUX_UNRESPONSIVE' })
})

test('stopping lets go of every terminal and ends no program', async () => {
  const { terminals, program, terminal } = await openTerminal()
  const sink = new RecordingSink()
  terminal.view(sink)
  await terminals.stop()
  expect(program.isListenedTo).toBe(false)
  expect(program.killed).toBeUndefined()
  expect(terminals.all()).toEqual([])
  expect(sink.of('ended')).toEqual([])
})

test('a keyboard that was taken goes back after what the settings say', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const settings = { give_back_after: 0 }
  const { terminal, program } = await openTerminal(settings)
  program.inForeground = { pid: 1, name: 'bash', words: ['bash'], isOwnProgram: true }
  terminal.control.take(PERSON)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(terminal.control.state.isTaken).toBe(true)
  settings.give_back_after = 5
  await vi.advanceTimersByTimeAsync(5_000)
  expect(terminal.control.state.isTaken).toBe(false)
  vi.useRealTimers()
})

test('changes of any terminal are announced with the terminal', async () => {
  const { terminals, terminal, program } = await openTerminal()
  const heard: unknown[] = []
  terminals.onChange((changed) => heard.push(changed))
  program.finish(0)
  expect(heard).toEqual([terminal])
  terminals.forget(terminal.id)
  expect(terminals.byId(terminal.id)).toBeUndefined()
})
