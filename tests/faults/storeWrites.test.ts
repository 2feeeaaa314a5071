import { FaultHost } from '../harness/faults/faultHost'
import { faultTest, type Injection } from '../harness/faults/faultRow'
import { fileThreadPlace, ONE_FILE_THREAD, Strace, straceMissing, threadAt } from '../harness/faults/strace'
import { type Operation, WorkspaceModel } from '../harness/faults/workspaceModel'

// Everything a store write does to files; the wake-ups of the main thread (writes too) lie between them.
const CALLS = 'openat,write,fsync,rename,link,unlink,close,mkdir'
// `npm test` takes every few system calls, and begins at another one each time.
const QUICK_STRIDE = 5
const missing = straceMissing()
const options = { environment: ONE_FILE_THREAD }

faultTest(
  { id: 'B2', fault: 'the host is killed at every system call of a store write', quick: 1, full: 20, missing },
  (injection) => FaultHost.during((host) => killAtEveryCall(host, injection, (n) => rename(n)), { injection, options })
)

faultTest(
  { id: 'B3', fault: 'the host is killed between the start of a program and its record', quick: 1, full: 5, missing },
  (injection) =>
    FaultHost.during((host) => killAtEveryCall(host, injection, (n) => ({ kind: 'create', name: `made ${n}` })), {
      injection,
      options
    })
)

let first = ''
const rename = (n: number): Operation => ({ kind: 'rename', id: first, name: `renamed ${n}` })

/** Goes through all system calls of one operation; `wanted` times in a soak, with a stride otherwise. */
async function killAtEveryCall(host: FaultHost, injection: Injection, operation: (n: number) => Operation) {
  const model = new WorkspaceModel(host, injection.random, host.door())
  for (const name of ['first', 'second']) await model.perform({ kind: 'create', name })
  first = model.terminals[0]?.id ?? ''
  const place = await fileThreadPlace(host.pid, () => model.perform(rename(0)))
  const stride = injection.isFull ? 1 : QUICK_STRIDE
  let count = 0
  for (let pass = 0; pass < injection.wanted; pass += 1) {
    for (let call = injection.isFull ? 1 : injection.random.between(1, stride); ; call += stride) {
      if (injection.isOver) return
      const isKilled = await killAt(host, { call, place, work: () => model.perform(operation(++count)) })
      await model.verify()
      checkOrphans(host, model, injection)
      await trim(model)
      injection.did()
      if (!isKilled) break
    }
    injection.note('calls', count)
  }
}

/** True when the host died of it; false when the operation makes fewer system calls. */
async function killAt(
  host: FaultHost,
  { call, place, work }: { call: number; place: number; work: () => Promise<boolean> }
): Promise<boolean> {
  const thread = threadAt(host.pid, place)
  const strace = await Strace.attach(host.pid, { calls: CALLS, inject: `signal=KILL:when=${call}`, thread })
  const isDone = await work()
  await strace.end()
  if (isDone) return false
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
