import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { parseStore, printStore, type StoreState } from '../../src/core/workspace/storeState'
import { type Door, refusalOf, type Warned } from '../harness/faults/door'
import { FaultHost } from '../harness/faults/faultHost'
import { BOTH_PLACES, faultTest, type Injection } from '../harness/faults/faultRow'
import { identify, isAlive } from '../harness/faults/processIdentity'
import { changeStore } from '../harness/storeByHand'
import type { Listed } from '../harness/workspace'

const TERMINALS = 3
// Unknown fields are kept, so they bring the file to the size of a long-lived one.
const FILE_BYTES = 20_000
const FILLER = 'x'

faultTest({ id: 'B4', fault: 'a store cut at every byte', quick: 60, full: FILE_BYTES }, (injection) =>
  FaultHost.during((host) => damageAgainAndAgain(host, injection, { damage: cutter(injection), isEveryByte: true }), {
    injection
  })
)

faultTest({ id: 'B4', fault: 'a store with flipped bits', quick: 100, full: 1000 }, (injection) =>
  FaultHost.during((host) => damageAgainAndAgain(host, injection, { damage: flipper(injection) }), { injection })
)

faultTest({ id: 'B4', fault: 'a cut store, while orphans are to be killed', quick: 10, full: 1000 }, (injection) =>
  FaultHost.during((host) => damageAgainAndAgain(host, injection, { damage: cutter(injection) }), {
    injection,
    options: { environment: { TANDEM_ORPHANS: 'kill' } }
  })
)

faultTest(
  { id: 'B4', fault: 'a store that is something else', quick: 12, full: 120, places: BOTH_PLACES },
  (injection) =>
    FaultHost.during((host) => damageAgainAndAgain(host, injection, { damage: (_, round) => replaced(round) }), {
      injection
    })
)

faultTest({ id: 'B24', fault: 'stores of older and newer versions', quick: 1, full: 20 }, (injection) =>
  FaultHost.during((host) => otherVersions(host, injection), { injection })
)

type Damage = (whole: Buffer, round: number) => Buffer

function cutter({ isFull, random }: Injection): Damage {
  return (whole, round) => whole.subarray(0, isFull ? round % whole.length : random.below(whole.length))
}

function flipper({ random }: Injection): Damage {
  return (whole) => {
    const damaged = Buffer.from(whole)
    // Most flips go where something stands; the rest go anywhere.
    const places = [...whole.keys()].filter((at) => whole[at] !== FILLER.charCodeAt(0) || random.below(50) === 0)
    const place = random.pick(places)
    damaged.writeUInt8((whole[place] ?? 0) ^ (1 << random.below(8)), place)
    return damaged
  }
}

function replaced(round: number): Buffer {
  const wrong = ['', '\0\0\0\0', '[]', 'null', '42', '{}', '{"sessions":{}}', '{"version":1,"sessions":[{}]}', '"x"']
  const binary = [Buffer.alloc(5000), Buffer.from(Array.from({ length: 4096 }, (_, byte) => byte % 256))]
  const all = [...wrong.map((text) => Buffer.from(text)), ...binary, Buffer.from('{"version":1,"sessions":[]')]
  return all[round % all.length] ?? Buffer.alloc(0)
}

/** Damages the file while the host runs; whatever is left of it, no terminal and no record may go. */
async function damageAgainAndAgain(
  host: FaultHost,
  injection: Injection,
  { damage, isEveryByte = false }: { damage: Damage; isEveryByte?: boolean }
): Promise<void> {
  const door = host.door()
  for (let number = 0; number < TERMINALS; number += 1) await door.create(`terminal ${number}`)
  const closed = await door.create('closed')
  await door.kill(closed.id)
  const whole = enlarge(host, door)
  const before = await door.list()
  const programs = before.map(({ pid }) => identify(pid ?? 0))
  const rounds = isEveryByte && injection.isFull ? whole.length : injection.wanted
  for (const round of injection.rounds(rounds)) {
    const damaged = damage(whole, round)
    writeFileSync(host.storePath(door), damaged)
    const { sessions, warnings } = await door.look()
    const { kind, state } = parseStore(damaged.toString())
    if (kind === 'corrupt') {
      checkTold(host, injection, { door, damaged, warnings })
      checkWhole(injection, { before, sessions })
      // Nothing that lives knows of it: only the generation before does.
      if (!(await door.ended()).some(({ id }) => id === closed.id))
        injection.loss(`round ${round}: an ended one is gone`)
    } else if (kind === 'ok' && !isSaid(state, whole)) injection.loss(`round ${round}: something else is believed`)
    const missing = before.filter(({ id }) => !sessions.some((one) => one.id === id && one.state === 'running'))
    if (missing.length > 0) injection.loss(`round ${round}: ${missing.map(({ name }) => name).join()} left the list`)
    if (!programs.every((program) => program && isAlive(program))) injection.loss(`round ${round}: a program ended`)
    if (kind === 'future') await expectReadOnly(host, door, damaged)
    else await expectMended(host, door, { sessions, round, injection })
    sweep(host, door, whole)
  }
}

/** What is not told as damage says what was written: only the time of writing may be hit, and the checksum's name. */
function isSaid(believed: StoreState, whole: Buffer): boolean {
  const written = parseStore(whole.toString()).state
  return (['sessions', 'ended', 'owner'] as const).every((part) => isDeepStrictEqual(believed[part], written?.[part]))
}

/** After a damage that is one, everything is called and stands as before. */
function checkWhole(injection: Injection, { before, sessions }: { before: Listed[]; sessions: Listed[] }): void {
  const print = (listed: Listed[]) => listed.map(({ name, order }) => `${order} ${name}`).join()
  if (print(sessions) !== print(before)) injection.loss(`round ${injection.done}: ${print(sessions)} is listed`)
}

/** Loud, and nothing thrown away: a warning names the file, and what it held is kept beside it, byte for byte. */
function checkTold(
  host: FaultHost,
  injection: Injection,
  { door, damaged, warnings }: { door: Door; damaged: Buffer; warnings: Warned[] }
): void {
  const told = warnings.filter(
    ({ code, message }) => code === 'STORE_CORRUPT' && message.includes(host.storePath(door))
  )
  if (told.length !== 1) injection.loss(`round ${injection.done}: the damage was told ${told.length} times`)
  const kept = asideOf(host, door).map((path) => readFileSync(path))
  if (kept.length !== 1 || !kept[0]?.equals(damaged))
    injection.loss(
      `round ${injection.done}: ${kept.length} files of ${kept.map(({ length }) => length)} bytes kept aside`
    )
}

async function expectMended(
  host: FaultHost,
  door: Door,
  { sessions, round, injection }: { sessions: Listed[]; round: number; injection: Injection }
): Promise<void> {
  // A flip may only change the case of an id.
  const stored = host.stored(door).map(({ id }) => id.toLowerCase())
  if (sessions.some(({ id }) => !stored.includes(id))) injection.loss(`round ${round}: the file was not mended`)
  expect(await door.rename(sessions[0]?.id ?? '', 'terminal 0')).toBe(true)
}

/** One flip makes a newer version of it, which is not ours to write. */
async function expectReadOnly(host: FaultHost, door: Door, damaged: Buffer): Promise<void> {
  const [terminal] = await door.list()
  expect(await refusalOf(door.rename(terminal?.id ?? '', 'refused'))).toBe('STORE_WRITE_FAILED')
  expect(readFileSync(host.storePath(door)).equals(damaged)).toBe(true)
}

function asideOf(host: FaultHost, door: Door): string[] {
  const directory = host.storeDirectory(door)
  return readdirSync(directory)
    .filter((found) => found.includes('.corrupt-'))
    .map((name) => join(directory, name))
}

function enlarge(host: FaultHost, door: Door): Buffer {
  const path = host.storePath(door)
  const parsed = parseStore(readFileSync(path, 'utf8'))
  if (parsed.kind !== 'ok') throw new Error('the store is not whole before it is damaged')
  const filler = FILLER.repeat(Math.ceil(FILE_BYTES / TERMINALS))
  const sessions = parsed.state.sessions.map((record) => ({ ...record, unknowns: { filler } }))
  writeFileSync(path, printStore({ ...parsed.state, sessions }))
  return readFileSync(path)
}

/** What was kept aside goes; then the whole file stands there again, and so does its generation. */
function sweep(host: FaultHost, door: Door, whole: Buffer): void {
  for (const path of asideOf(host, door)) rmSync(path)
  writeFileSync(host.storePath(door), whole)
  writeFileSync(`${host.storePath(door)}.bak`, whole)
}

async function otherVersions(host: FaultHost, injection: Injection): Promise<void> {
  for (const round of injection.rounds()) {
    const door = host.door(`round${round}`)
    const { id } = await door.create('first')
    const path = host.storePath(door)
    const later = { deep: [1, 'two', null] }
    changeStore(path, (store) => ({ ...store, later, sessions: [{ ...store.sessions[0], colour: 'red' }] }))
    expect(await door.rename(id, 'renamed')).toBe(true)
    const kept = JSON.parse(readFileSync(path, 'utf8'))
    expect(kept).toMatchObject({ later, sessions: [{ name: 'renamed', colour: 'red' }] })
    // A Tandem before the checksum kept the field as it came, and wrote another time.
    writeFileSync(path, JSON.stringify({ ...kept, lastModified: new Date().toISOString() }))
    expect((await door.look()).warnings).toEqual([])
    changeStore(path, ({ version: _, ...unversioned }) => unversioned)
    expect((await door.list()).map(({ name }) => name)).toEqual(['renamed'])
    await refuseToDowngrade(host, door, { id, newer: JSON.stringify({ ...kept, version: 99 }) })
    await door.kill(id)
  }
}

/** A newer Tandem's file is shown and never written, by any change and by a restart. */
async function refuseToDowngrade(
  host: FaultHost,
  door: Door,
  { id, newer }: { id: string; newer: string }
): Promise<void> {
  const path = host.storePath(door)
  const older = readFileSync(path)
  writeFileSync(path, newer)
  expect((await door.look()).sessions.map((one) => [one.id, one.state])).toEqual([[id, 'running']])
  await expect(door.rename(id, 'refused')).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
  await expect(door.create('refused')).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
  await host.crash()
  await host.restart()
  expect(readFileSync(path, 'utf8')).toBe(newer)
  writeFileSync(path, older)
}
