import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Door } from '../harness/faults/door'
import { FaultHost } from '../harness/faults/faultHost'
import { BOTH_PLACES, faultTest, type Injection } from '../harness/faults/faultRow'
import { identify, isAlive } from '../harness/faults/processIdentity'

const TERMINALS = 3
// Unknown fields are kept, so they bring the file to the size of a long-lived one.
const FILE_BYTES = 20_000
const FILLER = 'x'

faultTest({ id: 'B4', fault: 'a store cut at every byte', quick: 60, full: FILE_BYTES }, (injection) =>
  FaultHost.during((host) => damageAgainAndAgain(host, injection, cutter(injection)), { injection })
)

faultTest({ id: 'B4', fault: 'a store with flipped bits', quick: 100, full: 1000 }, (injection) =>
  FaultHost.during((host) => damageAgainAndAgain(host, injection, flipper(injection)), { injection })
)

faultTest(
  { id: 'B4', fault: 'a store that is something else', quick: 12, full: 120, places: BOTH_PLACES },
  (injection) =>
    FaultHost.during((host) => damageAgainAndAgain(host, injection, (_, round) => replaced(round)), { injection })
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
async function damageAgainAndAgain(host: FaultHost, injection: Injection, damage: Damage): Promise<void> {
  const door = host.door()
  for (let number = 0; number < TERMINALS; number += 1) await door.create(`terminal ${number}`)
  const whole = enlarge(host, door)
  const before = await door.list()
  const programs = before.map(({ pid }) => identify(pid ?? 0))
  for (const round of injection.rounds()) {
    writeFileSync(host.storePath(door), damage(whole, round))
    const { sessions } = await door.look()
    const missing = before.filter(({ id }) => !sessions.some((one) => one.id === id && one.state === 'running'))
    if (missing.length > 0) injection.loss(`round ${round}: ${missing.map(({ name }) => name).join()} left the list`)
    if (!programs.every((program) => program && isAlive(program))) injection.loss(`round ${round}: a program ended`)
    // A flip may only change the case of an id.
    const stored = host.stored(door).map(({ id }) => id.toLowerCase())
    if (sessions.some(({ id }) => !stored.includes(id))) injection.loss(`round ${round}: the file was not mended`)
    expect(await door.rename(before[0]?.id ?? '', 'terminal 0')).toBe(true)
    sweep(host, door, whole)
  }
}

function enlarge(host: FaultHost, door: Door): Buffer {
  const path = host.storePath(door)
  const store = JSON.parse(readFileSync(path, 'utf8')) as { sessions: Record<string, unknown>[] }
  const filler = FILLER.repeat(Math.ceil(FILE_BYTES / TERMINALS))
  for (const record of store.sessions) record.filler = filler
  writeFileSync(path, `${JSON.stringify(store, null, 2)}\n`)
  return readFileSync(path)
}

/** What was kept aside must be there, and goes; then the whole file stands there again, and so does its generation. */
function sweep(host: FaultHost, door: Door, whole: Buffer): void {
  const directory = host.storeDirectory(door)
  for (const name of readdirSync(directory).filter((found) => found.includes('.corrupt-')))
    rmSync(join(directory, name))
  writeFileSync(host.storePath(door), whole)
  writeFileSync(`${host.storePath(door)}.bak`, whole)
}

async function otherVersions(host: FaultHost, injection: Injection): Promise<void> {
  for (const round of injection.rounds()) {
    const door = host.door(`round${round}`)
    const { id } = await door.create('first')
    const path = host.storePath(door)
    const store = JSON.parse(readFileSync(path, 'utf8'))
    const foreign = { later: { deep: [1, 'two', null] }, sessions: [{ ...store.sessions[0], colour: 'red' }] }
    writeFileSync(path, JSON.stringify({ ...store, ...foreign }))
    expect(await door.rename(id, 'renamed')).toBe(true)
    const kept = JSON.parse(readFileSync(path, 'utf8'))
    expect(kept).toMatchObject({ later: foreign.later, sessions: [{ name: 'renamed', colour: 'red' }] })
    const { version: _, ...unversioned } = kept
    writeFileSync(path, JSON.stringify(unversioned))
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
