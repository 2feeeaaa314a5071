import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { readEndpoint } from '../../src/core/data/discovery'
import type { Door } from '../harness/faults/door'
import { FaultHost } from '../harness/faults/faultHost'
import { BOTH_PLACES, faultTest, type Injection } from '../harness/faults/faultRow'
import { adversarialPairs, type Place } from '../harness/faults/namePairs'
import { identify, isAlive, type ProcessIdentity } from '../harness/faults/processIdentity'
import { changeStore } from '../harness/storeByHand'
import { runTandem } from '../harness/tandem'
import { until } from '../harness/waiting'

const WRITER = fileURLToPath(new URL('../harness/faults/writer.mjs', import.meta.url))
const CONSTANT_RANDOM = fileURLToPath(new URL('../harness/faults/constantRandom.cjs', import.meta.url))
const WRITERS = 5
const HOST_RUNNING = 3
const START_LIMIT_MS = 120_000

faultTest({ id: 'B7', fault: 'five processes change one store', quick: 200, full: 1000 }, (injection) =>
  FaultHost.during((host) => writeTogether(host, injection), { injection })
)

faultTest({ id: 'B8', fault: 'twenty hosts start at once', quick: 2, full: 50 }, (injection) =>
  FaultHost.during((host) => startTogether(host, injection), { injection })
)

faultTest(
  { id: 'B9', fault: 'workspaces with names that are almost the same', quick: 12, full: 200, places: BOTH_PLACES },
  (injection) => FaultHost.during((host) => mistakeNames(host, injection), { injection })
)

faultTest({ id: 'B9', fault: 'such workspaces, while orphans are to be killed', quick: 6, full: 200 }, (injection) =>
  FaultHost.during((host) => orphanNames(host, injection), {
    injection,
    options: { environment: { TANDEM_ORPHANS: 'kill' } }
  })
)

faultTest(
  { id: 'B10', fault: 'the random part of a name comes again', quick: 3, full: 100, places: BOTH_PLACES },
  (injection) =>
    FaultHost.during((host) => repeatNames(host, injection), {
      injection,
      options: { environment: { NODE_OPTIONS: `--require ${CONSTANT_RANDOM}` } }
    })
)

/** Each process renames its own terminal again and again and finds every change in the file; nobody's is lost. */
async function writeTogether(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  const count = injection.wanted
  const ids: string[] = []
  for (let number = 0; number < WRITERS; number += 1) ids.push((await door.create(`writer ${number}`)).id)
  const { url, token } = host.tandem.ready
  const { project, session } = door
  const writers = ids.map((id) =>
    ended(
      spawn(process.execPath, [
        WRITER,
        JSON.stringify({ url, token, project, session, id, count, path: host.storePath(door) })
      ])
    )
  )
  for (const { code, text } of await Promise.all(writers)) {
    const kept = Number(/kept (\d+)/.exec(text)?.[1] ?? 0)
    injection.done += kept
    if (code !== 0 || kept !== count) injection.loss(`a process kept ${kept} of ${count} changes: ${text.slice(-500)}`)
  }
  expect(host.stored(door).map(({ name }) => name)).toEqual(ids.map(() => `change ${count}`))
}

function ended(child: ChildProcess): Promise<{ code: number | null; text: string }> {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })))
}

/** The owner stays, or exactly one of many takes its place; the others say so, end, and have touched nothing. */
async function startTogether(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  await door.create('first')
  const program = identify((await door.list())[0]?.pid ?? 0)
  const count = injection.isFull ? 20 : 5
  for (const round of injection.rounds()) {
    const isVacant = round % 2 === 1
    if (isVacant) await host.crash()
    const stored = readFileSync(host.storePath(door))
    const before = { dataDir: host.world.dataDir, count }
    if (isVacant) await startAll(host, injection, before)
    else await startBesides(host, injection, before)
    if (isVacant) await host.restart()
    // Where no host ever was they must also agree on who they all are.
    await startAll(host, injection, { dataDir: join(host.world.root, `new-${round}`), count })
    if (!program || !isAlive(program)) injection.loss('a program ended')
    if (!readFileSync(host.storePath(door)).equals(stored)) injection.loss(`round ${round}: the store was written`)
    expect((await door.list()).map(({ state }) => state)).toEqual(['running'])
  }
}

interface Starts {
  dataDir: string
  count: number
}

/** Each names the process that owns the data dir, and ends. */
async function startBesides(host: FaultHost, injection: Injection, { dataDir, count }: Starts): Promise<void> {
  const owner = readEndpoint(dataDir)?.pid
  expectRefused(await Promise.all(startsIn(host, { dataDir, count })), owner, injection)
}

/** One of them becomes the owner, and is told to end when all others have named it. */
async function startAll(host: FaultHost, injection: Injection, { dataDir, count }: Starts): Promise<void> {
  const ended: CommandEnd[] = []
  const starts = startsIn(host, { dataDir, count }).map(async (start) => ended.push(await start))
  // On two processors twenty programs take their time to begin.
  await until(() => ended.length >= count - 1, { what: 'all but the owner to end', limitMs: START_LIMIT_MS })
  const refused = [...ended]
  const { pid } = await until(() => readEndpoint(dataDir), { what: 'the one owner' })
  expectRefused(refused, pid, injection)
  process.kill(pid, 'SIGTERM')
  await Promise.all(starts)
}

type CommandEnd = Awaited<ReturnType<typeof runTandem>>

const startsIn = ({ world }: FaultHost, { dataDir, count }: Starts): Promise<CommandEnd>[] =>
  Array.from({ length: count }, () => runTandem(world, ['serve', '--port', '0', '--data-dir', dataDir]))

function expectRefused(ends: readonly CommandEnd[], owner: number | undefined, injection: Injection): void {
  for (const { code, stderr } of ends) {
    if (code !== HOST_RUNNING) injection.loss(`one ended with ${code}: ${stderr}`)
    else if (!stderr.includes(`rocess ${owner} `)) injection.loss(`one does not name ${owner}: ${stderr}`)
  }
}

function doorsOf(host: FaultHost, pair: [Place, Place] | undefined): readonly [Door, Door] {
  if (!pair) throw new Error('no pair')
  for (const { project } of pair) mkdirSync(project, { recursive: true, mode: 0o700 })
  const [one, other] = pair
  return [host.door(one.session, one.project), host.door(other.session, other.project)]
}

/** Two workspaces side by side: what is made, lost, rebuilt, renamed or removed in one leaves the other alone. */
async function mistakeNames(host: FaultHost, injection: Injection): Promise<void> {
  const pairs = adversarialPairs(host.world.root, injection.isFull ? undefined : injection.random)
  for (const round of injection.rounds()) {
    const doors = doorsOf(host, pairs[round % pairs.length])
    const [mine, theirs] = [await doors[0].create('mine'), await doors[1].create('theirs')]
    rmSync(host.storePath(doors[0]))
    await expectOnly(doors[0], mine.id, injection)
    await expectOnly(doors[1], theirs.id, injection)
    expect(await doors[0].rename(theirs.id, 'stolen')).toBe(false)
    expect((await doors[0].kill(theirs.id)).success).toBe(false)
    await doors[0].kill(mine.id)
    await expectOnly(doors[1], theirs.id, injection)
    await doors[1].kill(theirs.id)
  }
}

/** What has no record in one is ended; the other, whose name is almost the same, keeps its program. */
async function orphanNames(host: FaultHost, injection: Injection): Promise<void> {
  const pairs = adversarialPairs(host.world.root, injection.isFull ? undefined : injection.random)
  for (const round of injection.rounds()) {
    const doors = doorsOf(host, pairs[round % pairs.length])
    const theirs = await doors[1].create('theirs')
    await doors[0].create('mine')
    const [mine, their] = [await programOf(doors[0]), await programOf(doors[1])]
    const path = host.storePath(doors[0])
    // What a host recorded itself is no orphan for it: the next one finds the list without it.
    await host.crash()
    changeStore(path, (store) => ({ ...store, sessions: [] }))
    await host.restart()
    await until(() => !isAlive(mine), { what: 'the end of what has no record' })
    expect(await doors[0].list()).toEqual([])
    if (!isAlive(their)) injection.loss(`round ${round}: the program of the other workspace ended`)
    await expectOnly(doors[1], theirs.id, injection)
    await doors[1].kill(theirs.id)
  }
}

async function programOf(door: Door): Promise<ProcessIdentity> {
  const program = identify((await door.list())[0]?.pid ?? 0)
  if (!program) throw new Error('there is no program')
  return program
}

async function expectOnly(door: Door, id: string, injection: Injection): Promise<void> {
  const listed = (await door.list()).map((one) => `${one.id} ${one.state}`)
  const what = JSON.stringify([door.project, door.session])
  if (listed.join() !== `${id} running`) injection.loss(`${what} shows ${listed.join()} instead of ${id}`)
}

/** The random source repeats itself, and a session of another has the first name already. */
async function repeatNames(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door('again')
  const isTmux = injection.place === 'tmux'
  if (isTmux) host.world.tmux('new-session', '-d', '-s', 'mc-again-aaaa', 'printf foreign; exec cat')
  expect((await host.door('proof').create()).tmuxSession).toBe('mc-proof-aaaa')
  for (const _ of injection.rounds()) {
    const made = [await door.create(), await door.create(), await door.create()]
    expect(new Set(made.map(({ tmuxSession }) => tmuxSession)).size).toBe(3)
    if (isTmux) expect(made.map(({ tmuxSession }) => tmuxSession)).not.toContain('mc-again-aaaa')
    expect((await door.list()).map(({ id, state }) => [id, state])).toEqual(made.map(({ id }) => [id, 'running']))
    for (const { id } of made) await door.kill(id)
  }
  if (isTmux) expect(host.world.tmux('capture-pane', '-p', '-t', '=mc-again-aaaa:')).toContain('foreign')
}
