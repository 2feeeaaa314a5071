import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Door } from '../harness/faults/door'
import { FaultHost } from '../harness/faults/faultHost'
import { BOTH_PLACES, faultTest, type Injection } from '../harness/faults/faultRow'
import { identify, isAlive, type ProcessIdentity } from '../harness/faults/processIdentity'
import { mountMissing, mountSmallDisk } from '../harness/faults/smallDisk'
import { fileThreadPlace, ONE_FILE_THREAD, Strace, straceMissing, threadAt } from '../harness/faults/strace'
import { Tab } from '../harness/tab'
import { pause, until } from '../harness/waiting'
import type { Listed } from '../harness/workspace'

faultTest({ id: 'B25', fault: 'a project is moved, or its store is a FIFO', quick: 3, full: 50 }, (injection) =>
  FaultHost.during((host) => moveProject(host, injection), { injection })
)

faultTest(
  {
    id: 'B25',
    fault: 'the disk of a project is taken away',
    quick: 1,
    full: 50,
    places: BOTH_PLACES,
    missing: mountMissing()
  },
  (injection) => FaultHost.during((host) => unmountProject(host, injection), { injection })
)

faultTest(
  {
    id: 'B25',
    fault: 'a project on a disk that hangs',
    quick: 1,
    full: 50,
    places: BOTH_PLACES,
    waits: true,
    missing: straceMissing()
  },
  (injection) =>
    FaultHost.during((host) => hangDisk(host, injection), { injection, options: { environment: ONE_FILE_THREAD } })
)

faultTest(
  { id: 'B25', fault: 'one project hangs beside another', quick: 1, full: 50, missing: straceMissing() },
  (injection) => FaultHost.during((host) => hangOne(host, injection), { injection })
)

// The host itself waits three seconds for a project; the rest is for the way there and back.
const ANSWER_LIMIT_MS = 3500

/** What is listed, which must not take longer than a project is waited for. */
async function lookOf(door: Door, injection: Injection, limitMs = ANSWER_LIMIT_MS): ReturnType<Door['look']> {
  const startedMs = performance.now()
  const seen = await door.look()
  injection.limit('listMs', performance.now() - startedMs, limitMs)
  return seen
}

async function listOf(door: Door, injection: Injection): Promise<Listed[]> {
  return (await lookOf(door, injection)).sessions
}

async function programOf(door: Door): Promise<ProcessIdentity | undefined> {
  return identify((await door.list())[0]?.pid ?? 0)
}

/** The other project answers as ever, and the program of the lost one lives. */
async function expectOthersFine(
  other: Door,
  program: ProcessIdentity | undefined,
  injection: Injection
): Promise<void> {
  expect((await listOf(other, injection)).map(({ state }) => state)).toEqual(['running'])
  if (!program || !isAlive(program)) injection.loss('the program of the unavailable project ended')
}

async function moveProject(host: FaultHost, injection: Injection): Promise<void> {
  const project = join(host.world.root, 'movable')
  mkdirSync(project)
  const [door, other] = [host.door('work', project), host.door('other')]
  const made = await door.create('first')
  await other.create('second')
  const program = await programOf(door)
  for (const round of injection.rounds()) {
    if (round % 3 === 2) await replaceByFifo(host, door, injection)
    else {
      renameSync(project, `${project}-away`)
      expect((await listOf(door, injection)).map(({ id, state }) => [id, state])).toEqual([[made.id, 'unavailable']])
      await expectOthersFine(other, program, injection)
      if (round % 3 === 1) {
        await host.crash()
        await host.restart()
        await expectOthersFine(other, program, injection)
      }
      renameSync(`${project}-away`, project)
    }
    await until(async () => (await door.list())[0]?.state === 'running', { what: 'the project to be back' })
    expect((await door.list()).map(({ id }) => id)).toEqual([made.id])
  }
}

/** A FIFO in place of the file would hold a careless reader for ever. */
async function replaceByFifo(host: FaultHost, door: Door, injection: Injection): Promise<void> {
  const path = host.storePath(door)
  const content = readFileSync(path)
  rmSync(path)
  execFileSync('mkfifo', [path])
  expect((await listOf(door, injection)).map(({ state }) => state)).toEqual(['running'])
  rmSync(path)
  writeFileSync(path, content)
}

async function unmountProject(host: FaultHost, injection: Injection): Promise<void> {
  const other = host.door('other')
  await other.create('second')
  for (const round of injection.rounds()) {
    const disk = mountSmallDisk(join(host.world.root, `disk${round}`))
    const door = host.door('work', disk.path)
    const made = await door.create('first')
    const program = await programOf(door)
    // A program that has not begun yet has no directory to begin in.
    const tab = await Tab.open(host.tandem, made.tmuxSession)
    await tab.sees('$ ')
    tab.close()
    disk.remove()
    expect((await listOf(door, injection)).map(({ id, state }) => [id, state])).toEqual([[made.id, 'unavailable']])
    await expectOthersFine(other, program, injection)
  }
}

/** The only file thread stands still for longer than a project may take: others are told, and all goes on afterwards. */
async function hangDisk(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  const { id } = await door.create('first')
  const program = await programOf(door)
  const place = await fileThreadPlace(host.pid, () => door.rename(id, 'x'))
  for (const round of injection.rounds()) {
    const thread = threadAt(host.pid, place)
    const inject = 'delay_enter=6000000:when=1'
    const strace = await Strace.attach(host.pid, { calls: 'openat,readlink,statx', inject, thread })
    // With its only thread held, the host first waits as long for a disk that surely answers: it may be late itself.
    const { sessions, warnings } = await lookOf(door, injection, 2 * ANSWER_LIMIT_MS)
    expect(sessions.map((one) => [one.id, one.state])).toEqual([[id, 'unavailable']])
    expect(warnings.map(({ code }) => code)).toEqual(['IO_ERROR'])
    expect((await host.tandem.api('GET', '/healthz')).status).toBe(200)
    await until(async () => (await door.list())[0]?.state === 'running', { what: 'the disk to answer' })
    await strace.end()
    if (!program || !isAlive(program)) injection.loss('the program ended')
    expect(await door.rename(id, `after ${round}`)).toBe(true)
  }
}

/** Whoever is in another project lists and opens terminals as ever while the first one does not answer. */
async function hangOne(host: FaultHost, injection: Injection): Promise<void> {
  const project = join(host.world.root, 'hanging')
  mkdirSync(project)
  const [door, other] = [host.door('work', project), host.door('other')]
  const { id } = await door.create('first')
  await other.create('second')
  const program = await programOf(door)
  for (const round of injection.rounds()) {
    // What was read and has not changed since is only looked at, and not opened.
    expect(await door.rename(id, `before ${round}`)).toBe(true)
    const inject = 'delay_enter=8000000'
    const strace = await Strace.attach(host.pid, { calls: 'openat', inject, path: project })
    // More at once than the host has threads for files.
    const hung = Array.from({ length: 6 }, () => lookOf(door, injection))
    await pause(100)
    const startedMs = performance.now()
    const { id: made } = await other.create('third')
    expect((await listOf(other, injection)).map(({ state }) => state)).toEqual(['running', 'running'])
    expect((await other.kill(made)).success).toBe(true)
    injection.limit('besideMs', performance.now() - startedMs, ANSWER_LIMIT_MS)
    for (const { sessions } of await Promise.all(hung))
      expect(sessions.map((one) => [one.id, one.state])).toEqual([[id, 'unavailable']])
    await expectOthersFine(other, program, injection)
    await strace.end()
    await until(async () => (await door.list())[0]?.state === 'running', { what: 'the project to answer' })
  }
}
