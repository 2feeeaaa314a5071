import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import type { FakeProgram } from '../backends/fakeBackend'
import { type ProcessIdentity, systemProcesses } from '../backends/processTable'
import type { Workspaces } from './workspaces'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

// A host that looks into another tmux server than the one before it, which still runs with the terminals in it.

const GONE: ProcessIdentity = { pid: 2 ** 22 + 1, startTime: '1' }
const DOUBT = { code: 'TMUX_UNAVAILABLE', hint: expect.stringContaining('TANDEM_TMUX_SOCKET') }
const keeper = { now: GONE }
let fixture: WorkspacesFixture
let living: ProcessIdentity
let id: string
let next: Workspaces
let missed: Map<string, FakeProgram>

const key = () => ({ project: fixture.project, session: 'default' })
const stored = () => fixture.readStore().sessions.map((record) => record.id)
const servers = () => join(fixture.dataDir, 'tmux-servers.json')

beforeEach(async () => {
  fixture = new WorkspacesFixture()
  const row = await systemProcesses().find(process.pid)
  living = { pid: process.pid, startTime: row?.startTime ?? '' }
  keeper.now = living
  Object.assign(fixture.backend, { keeper: () => keeper.now })
  id = (await fixture.host().create(FULL_ACCESS, key())).record.id
  next = lookElsewhere()
  await next.start()
})

afterEach(() => fixture.close())

function lookElsewhere(): Workspaces {
  fixture.backend.crash()
  missed = new Map(fixture.backend.programs)
  fixture.backend.programs.clear()
  keeper.now = GONE
  return fixture.host({ closeGraceMs: 1 })
}

/** The next host looks where the first one did. */
function lookAgain(): Workspaces {
  fixture.backend.crash()
  for (const [known, program] of missed) fixture.backend.programs.set(known, program)
  keeper.now = living
  return fixture.host()
}

test('a terminal that may live in the server of before is not closed by any door, and keeps its record', async () => {
  await expect(next.kill(FULL_ACCESS, key(), id)).rejects.toMatchObject(DOUBT)
  await expect(next.closeByHandle(FULL_ACCESS, id, { wait: true })).rejects.toMatchObject(DOUBT)
  expect(stored()).toEqual([id])
  expect((await next.list(FULL_ACCESS, key())).sessions).toMatchObject([{ id, state: 'unknown' }])
})

test('a workspace with such a terminal is not removed, and none of its others is ended', async () => {
  const { record } = await next.create(FULL_ACCESS, key())
  await expect(next.remove(FULL_ACCESS, key())).rejects.toMatchObject(DOUBT)
  expect(stored()).toEqual([id, record.id])
  expect(fixture.backend.programs.has(record.id)).toBe(true)
})

test('a workspace is not removed while it is not known what lives', async () => {
  fixture.backend.fail('list', new AppError('TMUX_UNRESPONSIVE', 'no answer'))
  await expect(next.remove(FULL_ACCESS, key())).rejects.toMatchObject({ code: 'TMUX_UNRESPONSIVE' })
  expect(stored()).toEqual([id])
})

test('one that is closed so that it can be undone stays closed until a host can end it', async () => {
  expect(await next.later.close(FULL_ACCESS, key(), id)).toBe(true)
  await expect.poll(() => fixture.logged).toContain('A closed terminal could not be ended yet')
  expect(stored()).toEqual([id])
  await next.stop()
  const back = lookAgain()
  await back.start()
  await expect.poll(() => fixture.backend.programs.has(id)).toBe(false)
  await expect.poll(stored).toEqual([])
})

test('with orphans set to kill, one without a record ends here and the one elsewhere stays', async () => {
  fixture.settings = { ...fixture.settings, orphans: 'kill' }
  const { record } = await next.create(FULL_ACCESS, key())
  const { sessions, ...store } = fixture.readStore()
  // What a host recorded itself is no orphan for it.
  fixture.backend.crash()
  fixture.writeStore({ ...store, sessions: sessions.filter((one) => one.id === id) })
  expect(await fixture.host().start()).toEqual({ removed: 0, killed: 1, adopted: 0 })
  expect(fixture.backend.programs.has(record.id)).toBe(false)
  expect(stored()).toEqual([id])
})

test('once the server of before is gone, closing succeeds', async () => {
  writeFileSync(servers(), readFileSync(servers(), 'utf8').replace(`"${living.startTime}"`, '"1"'))
  fixture.backend.crash()
  const later = fixture.host()
  expect(await later.kill(FULL_ACCESS, key(), id)).toMatchObject({ success: true })
  expect(stored()).toEqual([])
})
