import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Door, refusalOf } from '../harness/faults/door'
import { compilerMissing, failingWrites, type WriteError } from '../harness/faults/failingWrites'
import { FaultHost } from '../harness/faults/faultHost'
import { BOTH_PLACES, faultTest, type Injection } from '../harness/faults/faultRow'
import { mountMissing, mountSmallDisk } from '../harness/faults/smallDisk'
import { fileThreadPlace, ONE_FILE_THREAD, Strace, straceMissing, threadAt } from '../harness/faults/strace'
import { WorkspaceModel } from '../harness/faults/workspaceModel'
import { Tab } from '../harness/tab'
import { pause, until } from '../harness/waiting'

// What a store write can fail at, and how. The write itself has a test of its own: the thread also wakes the host by write.
const FAILURES = [
  ['openat', 'ENOSPC'],
  ['openat', 'EDQUOT'],
  ['openat', 'EIO'],
  ['fsync', 'ENOSPC'],
  ['fsync', 'EDQUOT'],
  ['fsync', 'EIO'],
  ['rename', 'EROFS'],
  ['link', 'EIO'],
  ['openat', 'EMFILE'],
  ['openat', 'EROFS']
] as const
// A store is saved without a second name for the file before it, and without nothing else.
const NOT_NEEDED = 'link'
const WRITE_ERRORS: readonly WriteError[] = ['EIO', 'EDQUOT', 'ENOSPC']

const DONE = 'no refusal'
const CLEAR_ANSWERS = [DONE, 'STORE_WRITE_FAILED', 'IO_ERROR', 'PTY_ERROR', 'TMUX_UNRESPONSIVE', 'TMUX_UNAVAILABLE']
const SPARE_DESCRIPTORS = [1, 6, -4, 3, 0, 2, 4, 5, 8, 12]
const ENDS_AFTER_MS = 150
// Without descriptors the line to tmux cannot be opened again, and who calls cannot be let in.
const CUT_EVERY = 5
const CALLERS = 3

faultTest(
  { id: 'B5', fault: 'a full disk', quick: 1, full: 200, places: BOTH_PLACES, missing: mountMissing() },
  (injection) => FaultHost.during((host) => fillDisk(host, injection), { injection })
)

faultTest(
  {
    id: 'B5',
    fault: 'a disk that became read-only',
    quick: 1,
    full: 200,
    places: BOTH_PLACES,
    missing: mountMissing()
  },
  (injection) => FaultHost.during((host) => makeReadOnly(host, injection), { injection })
)

faultTest({ id: 'B5', fault: 'no descriptors left', quick: 3, full: 200, places: BOTH_PLACES }, (injection) =>
  FaultHost.during((host) => takeDescriptors(host, injection), { injection })
)

faultTest(
  {
    id: 'B5',
    fault: 'every kind of failing write',
    quick: FAILURES.length,
    full: 1000,
    places: BOTH_PLACES,
    missing: straceMissing()
  },
  (injection) =>
    FaultHost.during((host) => failWrites(host, injection), { injection, options: { environment: ONE_FILE_THREAD } })
)

faultTest(
  { id: 'B5', fault: 'writes that fail', quick: 3, full: 600, places: BOTH_PLACES, missing: compilerMissing() },
  async (injection) => {
    const writes = failingWrites()
    const work = async (host: FaultHost) => {
      const model = new WorkspaceModel(host, injection.random, host.door())
      for (const name of ['first', 'second']) await model.perform({ kind: 'create', name })
      for (const round of injection.rounds()) {
        writes.fail(WRITE_ERRORS[round % WRITE_ERRORS.length] ?? 'EIO')
        await changeUnsaved(host, model, { round, mend: () => writes.mend() || injection.loss('no write failed') })
      }
    }
    try {
      await FaultHost.during(work, { injection, options: { wrapper: writes.wrapper } })
    } finally {
      writes.remove()
    }
  }
)

faultTest({ id: 'B6', fault: 'an fsync that fails once', quick: 4, full: 50, missing: straceMissing() }, (injection) =>
  FaultHost.during((host) => failSync(host, injection), { injection, options: { environment: ONE_FILE_THREAD } })
)

/** While nothing can be saved: changes are refused, the file stays as it was, terminals go on. */
async function expectRefusals(host: FaultHost, door: Door, ids: string[]): Promise<void> {
  const before = readFileSync(host.storePath(door), 'utf8')
  // A program in a pty has its terminal a moment after its start.
  await until(() => host.stamped().length === ids.length, { what: 'every program to have its terminal' })
  const living = host.stamped()
  expect(await refusalOf(door.rename(ids[0] ?? '', 'refused'))).toBe('STORE_WRITE_FAILED')
  expect(await refusalOf(door.reorder([...ids].reverse()))).toBe('STORE_WRITE_FAILED')
  expect(await refusalOf(door.create('refused'))).toBe('STORE_WRITE_FAILED')
  expect(readFileSync(host.storePath(door), 'utf8')).toBe(before)
  expect((await door.list()).map(({ id, state }) => [id, state])).toEqual(ids.map((id) => [id, 'running']))
  expect(host.stamped()).toEqual(living)
}

async function expectGoesOn(host: FaultHost, door: Door, word: string): Promise<void> {
  const [terminal] = await door.list()
  const tab = await Tab.open(host.tandem, terminal?.tmuxSession ?? '')
  tab.type(`echo ${word}-$((1+1))\r`)
  await tab.sees(`${word}-2`)
  tab.close()
}

/** A kill is done all the same, says that it is not saved, and is saved when that is possible again. */
async function killUnsaved(host: FaultHost, door: Door, { id, mend }: { id: string; mend: () => void }): Promise<void> {
  const { success, warnings } = await door.kill(id)
  expect({ success, codes: warnings.map(({ code }) => code) }).toEqual({ success: true, codes: ['STORE_WRITE_FAILED'] })
  expect((await door.list()).some((one) => one.id === id)).toBe(false)
  mend()
  await until(() => !host.stored(door).some((one) => one.id === id), { what: 'the kill to be saved' })
}

async function fillDisk(host: FaultHost, injection: Injection): Promise<void> {
  const disk = mountSmallDisk(join(host.world.root, 'disk'))
  try {
    const door = host.door('work', disk.path)
    for (const round of injection.rounds()) {
      const ids = [(await door.create()).id, (await door.create()).id]
      const all = (await door.list()).map(({ id }) => id)
      disk.fill()
      await expectRefusals(host, door, all)
      await expectGoesOn(host, door, `full-${round}`)
      await killUnsaved(host, door, { id: ids[0] ?? '', mend: () => disk.free() })
      expect(await door.rename(ids[1] ?? '', `saved ${round}`)).toBe(true)
      expect(host.stored(door).map(({ name }) => name)).toContain(`saved ${round}`)
      await door.kill(ids[1] ?? '')
    }
  } finally {
    disk.remove()
  }
}

async function makeReadOnly(host: FaultHost, injection: Injection): Promise<void> {
  const disk = mountSmallDisk(join(host.world.root, 'disk'))
  try {
    const door = host.door('work', disk.path)
    const { id } = await door.create('first')
    for (const round of injection.rounds()) {
      disk.setReadOnly(true)
      await expectRefusals(host, door, [id])
      await expectGoesOn(host, door, `readonly-${round}`)
      disk.setReadOnly(false)
      expect(await door.rename(id, `saved ${round}`)).toBe(true)
    }
  } finally {
    disk.remove()
  }
}

/** The limit is taken down to about what the host has open now: a few are left, one, none, or fewer than there are. */
async function takeDescriptors(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  const { id } = await door.create('first')
  const limit = (count: number) => execFileSync('prlimit', ['--pid', String(host.pid), `--nofile=${count}:`])
  let refused = 0
  for (const round of injection.rounds()) {
    const ending = await endingSoon(host, door)
    const before = readFileSync(host.storePath(door), 'utf8')
    limit(host.openDescriptors() + (SPARE_DESCRIPTORS[round % SPARE_DESCRIPTORS.length] ?? 0))
    if (round % CUT_EVERY === 1) host.cutControlLine()
    const callers = Array.from({ length: CALLERS }, () => connect(Number(new URL(host.tandem.ready.url).port)))
    for (const caller of callers) caller.on('error', () => undefined)
    const renamed = await refusalOf(door.rename(id, `perhaps ${round}`))
    const shown = (await door.list()).map((one) => one.id)
    const created = await refusalOf(door.create('perhaps'))
    await pause(2 * ENDS_AFTER_MS)
    if (renamed !== DONE && created !== DONE) expect(readFileSync(host.storePath(door), 'utf8')).toBe(before)
    limit(4096)
    for (const caller of callers) caller.destroy()
    await until(async () => (await door.list()).some((one) => one.id === id && one.state === 'running'), {
      what: 'tmux to be reached again'
    })
    await until(async () => (await door.list()).some((one) => one.id === ending && one.state === 'exited'), {
      what: 'the end of a program to be told'
    })
    for (const answer of [renamed, created]) expect(CLEAR_ANSWERS).toContain(answer)
    expect(await door.rename(id, `saved ${round}`)).toBe(true)
    await expectGoesOn(host, door, `descriptors-${round}`)
    expect(shown).toContain(id)
    for (const one of await door.list()) if (one.id !== id) await killed(door, one.id)
    for (const answer of [renamed, created]) injection.note(answer, 1)
    if (renamed !== DONE || created !== DONE) refused += 1
  }
  if (refused === 0) injection.loss('there were descriptors for everything')
}

/** A line to tmux that was cut may be opened in the middle of a kill, which is then asked for again. */
async function killed(door: Door, id: string): Promise<void> {
  await until(async () => (await refusalOf(door.kill(id))) !== 'TMUX_UNRESPONSIVE', { what: 'a kill to be done' })
}

/** A terminal whose program ends while there are no descriptors. */
async function endingSoon(host: FaultHost, door: Door): Promise<string> {
  const { id, tmuxSession } = await door.create('ends')
  const tab = await Tab.open(host.tandem, tmuxSession)
  tab.type(`sleep ${ENDS_AFTER_MS / 1000}; exit\r`)
  await tab.sees('exit')
  tab.close()
  return id
}

async function failWrites(host: FaultHost, injection: Injection): Promise<void> {
  const model = new WorkspaceModel(host, injection.random, host.door())
  for (const name of ['first', 'second']) await model.perform({ kind: 'create', name })
  const id = model.terminals[0]?.id ?? ''
  const place = await fileThreadPlace(host.pid, () => model.perform({ kind: 'rename', id, name: 'x' }))
  for (const round of injection.rounds()) {
    const [calls, error] = FAILURES[round % FAILURES.length] ?? FAILURES[0]
    // Every call of the kind fails for the whole operation; one more finds nothing wrong afterwards.
    const thread = threadAt(host.pid, place)
    const strace = await Strace.attach(host.pid, { calls, inject: `error=${error}:when=1+`, thread })
    const isRefused = calls !== NOT_NEEDED
    const mend = async () => {
      if (!(await strace.end()).some((line) => line.includes('(INJECTED)'))) injection.loss(`no ${calls} failed`)
    }
    await changeUnsaved(host, model, { round, isRefused, mend })
  }
}

interface UnsavedChanges {
  round: number
  /** False when the fault keeps nothing from being saved. */
  isRefused?: boolean
  mend(): unknown
}

/** Changes while saving fails, and one more when it works again. */
async function changeUnsaved(host: FaultHost, model: WorkspaceModel, how: UnsavedChanges): Promise<void> {
  const { round, isRefused = true, mend } = how
  if (isRefused) await expectRefused(host, model, `failing ${round}`)
  for (let number = 0; number < 3; number += 1) {
    await model.change()
    host.stored(model.door)
  }
  await expectGoesOn(host, model.door, `while-${round}`)
  await mend()
  await model.saved()
  await model.verify()
  expect(await model.perform({ kind: 'rename', id: model.terminals[0]?.id ?? '', name: `saved ${round}` })).toBe(true)
  await model.verify()
  await expectGoesOn(host, model.door, `failing-${round}`)
}

/** What cannot be saved is not done, and the file stays as it was, byte for byte. */
async function expectRefused(host: FaultHost, { door, terminals }: WorkspaceModel, name: string): Promise<void> {
  const before = readFileSync(host.storePath(door), 'utf8')
  const answer = await refusalOf(door.rename(terminals[0]?.id ?? '', name))
  expect(answer).not.toBe(DONE)
  expect(CLEAR_ANSWERS).toContain(answer)
  expect(readFileSync(host.storePath(door), 'utf8')).toBe(before)
}

/** The first fsync is the file's, the second its directory's. A file whose fsync failed is never used. */
async function failSync(host: FaultHost, injection: Injection): Promise<void> {
  const model = new WorkspaceModel(host, injection.random, host.door())
  for (const name of ['first', 'second']) await model.perform({ kind: 'create', name })
  const id = model.terminals[0]?.id ?? ''
  const place = await fileThreadPlace(host.pid, () => model.perform({ kind: 'rename', id, name: 'x' }))
  for (const round of injection.rounds()) {
    const thread = threadAt(host.pid, place)
    const when = 1 + (round % 2)
    const strace = await Strace.attach(host.pid, { calls: 'fsync', inject: `error=EIO:when=${when}`, thread })
    const work = round % 4 > 1 ? ({ kind: 'create', name: `made ${round}` } as const) : undefined
    const isSaved = await model.perform(work ?? { kind: 'rename', id, name: `unsure ${round}` })
    if (isSaved) injection.loss(`a change whose fsync ${when} failed was called saved`)
    await model.verify()
    expect(await model.perform({ kind: 'rename', id, name: `saved ${round}` })).toBe(true)
    const synced = (await strace.end())
      .filter((line) => line.includes('.tmp>'))
      .map((line) => /\.([0-9a-f]{12})\./.exec(line)?.[1])
    if (new Set(synced).size < synced.length) injection.loss('a file whose fsync failed was used again')
    await model.verify()
  }
}
