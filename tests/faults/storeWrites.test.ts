import { FaultHost } from '../harness/faults/faultHost'
import { faultTest, type Injection } from '../harness/faults/faultRow'
import { identify } from '../harness/faults/processIdentity'
import { fileThreadPlace, ONE_FILE_THREAD, Strace, straceMissing, threadAt } from '../harness/faults/strace'
import { type Operation, WorkspaceModel } from '../harness/faults/workspaceModel'

// Everything a store write does to files. Each is counted by itself, as strace does it: counted together, the many
// wake-ups of the main thread (writes too) would stand in front of the few that matter.
const CALLS = ['openat', 'write', 'fsync', 'rename', 'link', 'unlink', 'close', 'mkdir'] as const
// `npm test` kills once at each of these, at any of the first so many: every write has that many.
const QUICK_FIRST = { openat: 3, write: 4, fsync: 2, rename: 2, link: 1, close: 3 }
const missing = straceMissing()
const options = { environment: ONE_FILE_THREAD }

faultTest(
  { id: 'B2', fault: 'the host is killed at every system call of a store write', quick: 1, full: 20, missing },
  (injection) => FaultHost.during((host) => killAtEveryCall(host, injection, (n) => rename(n)), { injection, options })
)

faultTest(
  { id: 'B3', fault: 'the host is killed between the start of a program and its record', quick: 1, full: 7, missing },
  (injection) =>
    FaultHost.during((host) => killAtEveryCall(host, injection, (n) => ({ kind: 'create', name: `made ${n}` })), {
      injection,
      options
    })
)

let first = ''
const rename = (n: number): Operation => ({ kind: 'rename', id: first, name: `renamed ${n}` })

/** Goes through all system calls of one operation, kind by kind, `wanted` times; otherwise through one of each kind. */
async function killAtEveryCall(host: FaultHost, injection: Injection, operation: (n: number) => Operation) {
  const model = new WorkspaceModel(host, injection.random, host.door())
  for (const name of ['first', 'second']) await model.perform({ kind: 'create', name })
  first = model.terminals[0]?.id ?? ''
  const place = await fileThreadPlace(host.pid, () => model.perform(rename(0)))
  let count = 0
  const killed: Record<string, number> = {}
  const tryAt = async (call: string, when: number): Promise<boolean> => {
    const isKilled = await killAt(host, { call, when, place, work: () => model.perform(operation(++count)) })
    await model.verify()
    checkOrphans(host, model, injection)
    await trim(model)
    injection.did()
    if (isKilled) killed[call] = (killed[call] ?? 0) + 1
    return isKilled && !injection.isOver
  }
  await (injection.isFull ? tryAll(injection, tryAt) : tryEach(injection, tryAt))
  for (const [call, times] of Object.entries(killed)) injection.note(`at ${call}`, times)
  // Without these a store write would not be one: where none of them was a kill point, nothing was tried.
  const never = Object.keys(QUICK_FIRST).filter((call) => !killed[call])
  if (never.length > 0 && !injection.isOver) injection.loss(`the host was never killed at ${never.join()}`)
}

/** False when the operation makes fewer such calls, or time is up. */
type TryAt = (call: string, when: number) => Promise<boolean>

async function tryAll(injection: Injection, tryAt: TryAt): Promise<void> {
  for (let pass = 0; pass < injection.wanted && !injection.isOver; pass += 1)
    for (const call of CALLS) for (let when = 1; await tryAt(call, when); when += 1);
}

async function tryEach({ random }: Injection, tryAt: TryAt): Promise<void> {
  for (const [call, first] of Object.entries(QUICK_FIRST)) await tryAt(call, random.between(1, first))
}

/** True when the host died of it; false when the operation makes fewer system calls. */
async function killAt(
  host: FaultHost,
  { call, when, place, work }: { call: string; when: number; place: number; work: () => Promise<boolean> }
): Promise<boolean> {
  const thread = threadAt(host.pid, place)
  const strace = await Strace.attach(host.pid, { calls: call, inject: `signal=KILL:when=${when}`, thread })
  const isDone = await work()
  await strace.end()
  // What is kept after the answer is a kill point too.
  if (isDone && identify(host.pid)) return false
  await host.crash()
  await host.restart()
  return true
}

function checkOrphans(host: FaultHost, model: WorkspaceModel, injection: Injection): void {
  const recorded = host.stored(model.door).map(({ tmuxSession }) => tmuxSession)
  const orphans = host.stamped().filter((name) => !recorded.includes(name))
  if (orphans.length > 0) injection.loss(`${orphans.join()} live and have no record`)
}

// Restarts take longer with every terminal to take up.
async function trim(model: WorkspaceModel): Promise<void> {
  const [, , ...more] = model.terminals
  if (more.length > 2) for (const { id } of more) await model.perform({ kind: 'kill', id })
}
