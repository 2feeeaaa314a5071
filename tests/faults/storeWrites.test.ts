import { hangUp } from '../harness/faults/door'
import { FaultHost } from '../harness/faults/faultHost'
import { faultTest, type Injection } from '../harness/faults/faultRow'
import type { Operation } from '../harness/faults/modelledChange'
import { identify } from '../harness/faults/processIdentity'
import { fileThreadPlace, ONE_FILE_THREAD, Strace, straceMissing, threadAt } from '../harness/faults/strace'
import { Survivors } from '../harness/faults/survivors'
import { WorkspaceModel } from '../harness/faults/workspaceModel'
import { pause, until } from '../harness/waiting'

// Everything a store write does to files. Each is counted by itself, as strace does it: counted together, the many
// wake-ups of the main thread (writes too) would stand in front of the few that matter.
const FILE_CALLS = ['openat', 'write', 'fsync', 'rename', 'link', 'unlink', 'close', 'mkdir']
// `npm test` kills once at each of these, at any of the first so many: every write has that many.
const FILE_FIRST = { openat: 3, write: 4, fsync: 2, rename: 2, link: 1, close: 3 }
// What the main thread says to tmux and to the caller, and how it writes the files of its data directory.
const MAIN_CALLS = ['write', 'writev', 'fsync', 'rename']
const MAIN_FIRST = { write: 12, writev: 2, fsync: 8, rename: 4 }
// A call that is made now and then must not cut a sweep short.
const MISSES_AT_END = 2
const missing = straceMissing()
const options = { environment: ONE_FILE_THREAD }

faultTest(
  { id: 'B2', fault: 'the host is killed at every system call of a store write', quick: 1, full: 20, missing },
  (injection) => FaultHost.during((host) => killInRenames(host, injection), { injection, options })
)

faultTest(
  { id: 'B3', fault: 'the host is killed between the start of a program and its record', quick: 1, full: 7, missing },
  (injection) => FaultHost.during((host) => killInCreates(host, injection), { injection, options })
)

faultTest(
  { id: 'B3', fault: 'the host is killed where it talks to tmux and writes its own files', quick: 1, full: 7, missing },
  (injection) => FaultHost.during((host) => killInMainThread(host, injection), { injection, options })
)

/** One place to kill at, and what is done meanwhile. */
interface Kill {
  call: string
  when: number
  thread: number
  models: readonly WorkspaceModel[]
  /** Answers whose last change it was. */
  work(): Promise<WorkspaceModel>
}

async function killInRenames(host: FaultHost, injection: Injection): Promise<void> {
  const { model, place } = await twoTerminals(host, injection)
  const rename = (n: number): Operation => ({ kind: 'rename', id: model.terminals[0]?.id ?? '', name: `renamed ${n}` })
  await killAtEveryFileCall(host, injection, { model, place, operation: rename })
}

/** Both kinds of death must have been there: with a program that no file knows yet, and with none. */
async function killInCreates(host: FaultHost, injection: Injection): Promise<void> {
  const { model, place } = await twoTerminals(host, injection)
  const operation = (n: number): Operation => ({ kind: 'create', name: `made ${n}` })
  const found = await killAtEveryFileCall(host, injection, { model, place, operation })
  for (const [kind, count] of Object.entries(found)) {
    injection.note(kind, count)
    if (count === 0 && !injection.isOver) injection.loss(`no death was ${kind}`)
  }
}

async function twoTerminals(host: FaultHost, injection: Injection) {
  const model = new WorkspaceModel(host, injection.random, host.door())
  for (const name of ['first', 'second']) await model.perform({ kind: 'create', name })
  const [first] = model.terminals
  const place = await fileThreadPlace(host.pid, () => model.perform({ kind: 'rename', id: first?.id ?? '', name: '0' }))
  return { model, place }
}

async function killAtEveryFileCall(
  host: FaultHost,
  injection: Injection,
  { model, place, operation }: { model: WorkspaceModel; place: number; operation: (n: number) => Operation }
) {
  const found = { withUnrecordedProgram: 0, withEveryProgramRecorded: 0 }
  let count = 0
  await sweep(injection, { calls: FILE_CALLS, first: FILE_FIRST }, async (call, when) => {
    const work = async () => {
      await model.perform(operation(++count))
      return model
    }
    const kill = { call, when, thread: threadAt(host.pid, place), models: [model], work }
    const survivors = await killAt(host, injection, kill)
    if (survivors) found[survivors.unrecorded.length > 0 ? 'withUnrecordedProgram' : 'withEveryProgramRecorded'] += 1
    await trim(model)
    return survivors !== undefined
  })
  return found
}

/** A new workspace each time, made and removed: the host writes down that it knows it, and what it still has to end. */
async function killInMainThread(host: FaultHost, injection: Injection): Promise<void> {
  const stays = new WorkspaceModel(host, injection.random, host.door())
  await stays.perform({ kind: 'create', name: 'stays' })
  let count = 0
  await sweep(injection, { calls: MAIN_CALLS, first: MAIN_FIRST }, async (call, when) => {
    const fresh = new WorkspaceModel(host, injection.random, host.door(`fresh${++count}`))
    const isLeft = () => host.stamped().some((name) => name.startsWith(`mc-${fresh.door.session}-`))
    const work = async () => {
      if (await fresh.perform({ kind: 'create', name: 'passes' })) await fresh.perform({ kind: 'remove' })
      // The last of it is written behind the answer.
      while (identify(host.pid) && fresh.answer === 'done' && isLeft()) await pause(20)
      return fresh
    }
    const survivors = await killAt(host, injection, { call, when, thread: host.pid, models: [stays, fresh], work })
    await fresh.closeAll()
    await until(() => !isLeft(), { what: `the programs of ${fresh.door.session} to be gone` })
    return survivors !== undefined
  })
}

/** False when the work makes fewer such calls. */
type TryAt = (call: string, when: number) => Promise<boolean>

/** Goes through all system calls of a work, kind by kind, `wanted` times; otherwise through one of each kind. */
async function sweep(
  injection: Injection,
  { calls, first }: { calls: readonly string[]; first: Readonly<Record<string, number>> },
  tryAt: TryAt
): Promise<void> {
  const killed: Record<string, number> = {}
  const tryOnce = async (call: string, when: number): Promise<boolean> => {
    const isKilled = await tryAt(call, when)
    if (isKilled) injection.did()
    if (isKilled) killed[call] = (killed[call] ?? 0) + 1
    return isKilled
  }
  if (injection.isFull) {
    for (let pass = 0; pass < injection.wanted; pass += 1)
      for (const call of calls) await throughOneKind(injection, (when) => tryOnce(call, when))
  } else for (const [call, most] of Object.entries(first)) await tryOnce(call, injection.random.between(1, most))
  for (const [call, times] of Object.entries(killed)) injection.note(`at ${call}`, times)
  // Without these the work would not be what it is meant to be: where none was a kill point, nothing was tried.
  const never = Object.keys(first).filter((call) => !killed[call])
  if (never.length > 0 && !injection.isOver) injection.loss(`the host was never killed at ${never.join()}`)
}

async function throughOneKind(injection: Injection, tryOnce: (when: number) => Promise<boolean>): Promise<void> {
  let misses = 0
  for (let when = 1; misses < MISSES_AT_END && !injection.isOver; when += 1)
    misses = (await tryOnce(when)) ? 0 : misses + 1
}

/** What lived when the host had died of it; undefined when it did not, for the work makes fewer system calls. */
async function killAt(
  host: FaultHost,
  injection: Injection,
  { call, when, thread, models, work }: Kill
): Promise<Survivors | undefined> {
  // A connection that was kept may end by itself, which would look like a death.
  hangUp()
  const strace = await Strace.attach(host.pid, { calls: call, inject: `signal=KILL:when=${when}`, thread })
  const changed = await work()
  const isHit = (await strace.end()).some((line) => line.includes('killed by SIGKILL'))
  // What is kept after the answer is a kill point too.
  if (isHit || changed.answer === 'no answer')
    await until(() => !identify(host.pid), { what: 'the end of a host, or an answer' })
  for (const loss of changed.refusals()) injection.loss(loss)
  const survivors = identify(host.pid) ? undefined : await startAgain(host, models)
  for (const model of models) await model.verify()
  for (const loss of survivors?.losses() ?? []) injection.loss(loss)
  return survivors
}

async function startAgain(host: FaultHost, models: readonly WorkspaceModel[]): Promise<Survivors> {
  await host.crash()
  const survivors = Survivors.look(host, models)
  await host.restart()
  return survivors
}

// Restarts take longer with every terminal to take up.
async function trim(model: WorkspaceModel): Promise<void> {
  const [, , ...more] = model.terminals
  if (more.length > 2) for (const { id } of more) await model.perform({ kind: 'kill', id })
}
