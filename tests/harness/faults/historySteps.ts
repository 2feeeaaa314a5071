import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { processesOf } from '../tandem'
import { pause, until } from '../waiting'
import type { Door } from './door'
import type { FaultHost } from './faultHost'
import type { History } from './history'
import {
  deleteSocket,
  fillDisk,
  killTmux,
  MAX_TERMINALS,
  moveProject,
  protectDisk,
  startSecond,
  starve,
  stopTmux,
  tell
} from './historyFaults'
import { cut, flood, stormSizes } from './historyViewers'
import { Survivors } from './survivors'

/** One kind of step in a history. It is always possible; what must hold is checked in the real world. */
export interface Kind {
  name: string
  /** `run` is given a number from 0 to this. */
  most: number
  /** Takes seconds: `npm test` has it once. */
  isSlow?: boolean
  run(history: History, amount: number): Promise<unknown>
}

/** tmux is given three seconds to answer. */
const TOO_LONG_MS = 3200

export function work({ models }: History): Kind[] {
  const which = models.length - 1
  const changes = [1, 2, 3, 4].map(() => ({ name: 'change', most: which, run: change }))
  return [
    ...changes,
    { name: 'type', most: 4, run: ({ typist }, count) => typist.type(count + 1) },
    { name: 'read', most: 0, run: ({ typist }) => typist.read() },
    { name: 'verify', most: 0, run: (history) => history.verify() },
    { name: 'a create is cut and repeated', most: 60, run: repeatCreate }
  ]
}

/** Faults that the host lives through, and that leave nothing behind in it. */
export function faults({ models, small }: History): Kind[] {
  const which = models.length - 1
  const onDisk: Kind[] = [
    { name: 'the disk is full', most: 0, run: fillDisk },
    { name: 'the disk is read-only', most: 0, run: protectDisk }
  ]
  return [
    { name: 'tmux stands still', most: 300, run: ({ host }, ms) => standStill([host.world.tmuxServerPid()], ms) },
    { name: 'the host stands still', most: 300, run: ({ host }, ms) => standStill([host.pid], ms) },
    { name: 'a store is damaged', most: which, run: damage },
    { name: 'tmux is killed', most: 0, run: killTmux },
    { name: 'the tmux socket is deleted', most: 0, run: deleteSocket },
    { name: 'a viewer is cut', most: 2, run: (history, more) => cut(history, more + 1) },
    { name: 'a storm of sizes', most: 20, run: stormSizes },
    { name: 'a second host starts', most: 0, run: startSecond },
    { name: 'a project is moved and comes back', most: which, run: moveProject },
    ...(small ? onDisk : [])
  ]
}

/** Faults that the host lives through and that take long, or fill what it keeps of closed terminals. */
export function heavyFaults({ models, injection }: History): Kind[] {
  const which = models.length - 1
  const standsUpTo = injection.isFull ? 2800 : 300
  return [
    {
      name: 'tmux stands still for too long',
      most: standsUpTo,
      isSlow: true,
      run: (history, ms) => stopTmux(history, TOO_LONG_MS + ms)
    },
    { name: 'everything sleeps', most: 1500, run: ({ host }, ms) => standStill(processesOf(host.world.root), ms) },
    { name: 'no descriptors are left', most: which, run: starve },
    { name: 'a viewer never reads', most: 0, run: flood },
    { name: 'many start and exit', most: 3, run: (history, more) => startAndExit(history, more + 2) }
  ]
}

/** Faults that end the host. */
export function ends(): Kind[] {
  return [
    { name: 'the host is killed', most: 150, run: crash },
    { name: 'stop and start', most: 0, run: (history) => history.restart() }
  ]
}

async function change(history: History, at: number): Promise<void> {
  const model = history.models[at]
  if (!model || (await model.change(MAX_TERMINALS))) return
  tell(history, model)
  await model.verify()
}

async function crash(history: History, delayMs: number): Promise<void> {
  const { host, models, typist, injection } = history
  const load = models.map(async (model) => {
    while (await model.change(MAX_TERMINALS)) {
      // The next one, until the host is gone.
    }
  })
  await typist.typeBlindly(3)
  await pause(delayMs)
  await host.crash()
  await Promise.all(load)
  for (const model of models) tell(history, model)
  const survivors = Survivors.look(host, models, [typist.door])
  await host.restart()
  for (const model of models) await model.verify()
  for (const loss of survivors.losses()) injection.loss(loss)
}

/** A store that vanishes is rebuilt from what lives. */
async function damage({ host, models }: History, at: number): Promise<void> {
  const model = models[at]
  if (!model || model.terminals.length === 0) return
  await model.verify()
  host.damage(model.door)
  await model.verify({ isDamaged: true })
}

async function startAndExit({ host, injection }: History, count: number): Promise<void> {
  const door = host.door('burst')
  const made = await Promise.all(Array.from({ length: count }, () => door.create()))
  const listed = await door.list()
  const ids = new Set(made.map(({ id }) => id))
  if (listed.length !== count || !listed.every(({ id }) => ids.delete(id)))
    injection.loss('not everything that was started is listed')
  for (const { pid } of listed) if (pid) process.kill(pid, 'SIGKILL')
  const isOver = async () => (await door.list()).every(({ state }) => state === 'exited')
  await until(isOver, { what: 'every exit to be told' })
  for (const { id } of await door.list()) await door.kill(id)
}

/** Cut at any moment, the same key makes one terminal. */
async function repeatCreate({ host, injection }: History, afterMs: number): Promise<void> {
  const door = host.door('keyed')
  const [key, name] = [randomUUID(), 'once']
  await cutCreate({ host, door }, { key, name, afterMs })
  const { id } = await door.create(name, { 'idempotency-key': key })
  const listed = (await door.list()).map((one) => one.id)
  if (listed.join() !== id) injection.loss(`one key made ${listed.length} terminals`)
  for (const one of listed) await door.kill(one)
}

async function cutCreate(
  { host, door: { project, session } }: { host: FaultHost; door: Door },
  { key, name, afterMs }: { key: string; name: string; afterMs: number }
): Promise<void> {
  const { url, token } = host.tandem.ready
  const headers = { 'idempotency-key': key, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  // A connection of its own, which is closed and not kept.
  const sent = request(`${url}/api/terminal/sessions`, { method: 'POST', agent: false, headers })
  sent.on('error', () => undefined)
  sent.on('response', (response) => response.resume().on('error', () => undefined))
  sent.end(JSON.stringify({ project, session, name }))
  await pause(afterMs)
  sent.destroy()
}

async function standStill(pids: readonly number[], forMs: number): Promise<void> {
  const stopped = pids.filter((pid) => signalled(pid, 'SIGSTOP'))
  await pause(forMs)
  for (const pid of stopped) signalled(pid, 'SIGCONT')
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'ESRCH') return false
    throw failure
  }
}
