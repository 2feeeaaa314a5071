import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { runTandem } from '../tandem'
import { pause, until } from '../waiting'
import type { History } from './history'
import type { WorkspaceModel } from './workspaceModel'

// What befalls the host from outside in a history: its tmux, its disks, its descriptors, its projects.

/** In one workspace of a history. */
export const MAX_TERMINALS = 5
const HOST_RUNNING = 3
const USUAL_DESCRIPTORS = 4096

/** Refusals that nothing explains are losses. */
export function tell({ injection }: History, model: WorkspaceModel, ...known: string[]): void {
  for (const loss of model.refusals(...known)) injection.loss(loss)
}

/** Every terminal is lost, and none of its records: they go only when they are closed. */
export async function killTmux(history: History): Promise<void> {
  const { host, models, typist } = history
  await history.verify()
  process.kill(host.world.tmuxServerPid(), 'SIGKILL')
  for (const model of models) await model.loseAll()
  await typist.startAnew()
  await host.inviteStrangers()
}

export async function deleteSocket({ host, models }: History): Promise<void> {
  const { world } = host
  const [server, socket] = [world.tmuxServerPid(), world.tmux('display-message', '-p', '#{socket_path}').trim()]
  rmSync(socket)
  for (const model of models) await model.verify()
  process.kill(server, 'SIGUSR1')
  await until(() => existsSync(socket), { what: 'the socket to be back' })
}

export async function fillDisk(history: History): Promise<void> {
  history.small?.disk.fill()
  await changeUnsaved(history, () => history.small?.disk.free())
}

export async function protectDisk(history: History): Promise<void> {
  history.small?.disk.setReadOnly(true)
  await changeUnsaved(history, () => history.small?.disk.setReadOnly(false))
}

/** Changes where nothing can be saved; a kill is done all the same. */
async function changeUnsaved(history: History, mend: () => void): Promise<void> {
  const model = history.small?.model
  try {
    for (let number = 0; number < 3; number += 1) {
      await model?.change(MAX_TERMINALS)
      if (model) tell(history, model, 'STORE_WRITE_FAILED')
    }
  } finally {
    mend()
  }
  await model?.saved()
  await model?.verify()
}

/** Longer than a command may take: nothing is known for a while, and nothing goes. */
export async function stopTmux(history: History, forMs: number): Promise<void> {
  const { host, injection, models, random } = history
  const model = random.pick(models)
  const server = host.world.tmuxServerPid()
  process.kill(server, 'SIGSTOP')
  try {
    const standing = pause(forMs)
    const shown = (await model.door.list()).map(({ id }) => id)
    const known = model.terminals.map(({ id }) => id)
    if (shown.join() !== known.join())
      injection.loss(`while tmux stands still ${shown.join()} is shown of ${known.join()}`)
    await model.change(MAX_TERMINALS)
    await standing
  } finally {
    process.kill(server, 'SIGCONT')
  }
  tell(history, model, 'TMUX_UNAVAILABLE')
  // What was asked before this has been done when it answers.
  host.world.tmux('display-message', '-p', 'awake')
  await history.recovered()
  await model.verify()
}

export async function starve(history: History, at: number): Promise<void> {
  const { host, models, random } = history
  const model = models[at]
  // The connection that this makes is there still when no other can be made.
  if (!model || (await model.door.list()).length === 0) return
  const limit = (count: number) => execFileSync('prlimit', ['--pid', String(host.pid), `--nofile=${count}:`])
  limit(host.openDescriptors() + random.pick([0, 1, 3, 6]))
  try {
    await model.change(MAX_TERMINALS)
  } finally {
    limit(USUAL_DESCRIPTORS)
  }
  tell(history, model, 'STORE_WRITE_FAILED', 'IO_ERROR', 'PTY_ERROR', 'TMUX_UNAVAILABLE')
  await history.recovered()
  await model.saved()
  await model.verify()
}

export async function moveProject(history: History, at: number): Promise<void> {
  const { host, models, movable, injection } = history
  const { project } = movable.door
  // Of a project that is away nothing is known where nothing was.
  while (movable.terminals.length === 0) {
    await movable.change(MAX_TERMINALS)
    tell(history, movable)
    await movable.verify()
  }
  renameSync(project, `${project}-away`)
  try {
    const shown = (await movable.door.list()).map(({ id, state }) => `${id} ${state}`)
    const known = movable.terminals.map(({ id }) => `${id} unavailable`)
    if (shown.join() !== known.join()) injection.loss(`of a project that is away ${shown.join()} is shown`)
    movable.checkPrograms()
    const other = models[at]
    if (other && other !== movable) await other.verify()
  } finally {
    renameSync(`${project}-away`, project)
  }
  const isBack = async () => (await movable.door.list()).every(({ state }) => state !== 'unavailable')
  await until(isBack, { what: `the project to be back in ${host.world.root}` })
  await movable.verify()
}

/** It says that there is a host, ends, and has written no store. */
export async function startSecond({ host, models, injection }: History): Promise<void> {
  const stores = () => models.map(({ door }) => host.storePath(door)).filter(existsSync)
  const before = stores().map((path) => readFileSync(path, 'utf8'))
  const { code } = await runTandem(host.world, ['serve', '--port', '0', '--data-dir', host.world.dataDir])
  if (code !== HOST_RUNNING) injection.loss(`a second host ended with ${code}`)
  const after = stores().map((path) => readFileSync(path, 'utf8'))
  if (after.join() !== before.join()) injection.loss('a second host changed a store')
}
