import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { type ProcessIdentity, systemProcesses } from '../backends/processTable'
import { silentLog } from '../log'
import { KnownServers } from './knownServers'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

const GONE: ProcessIdentity = { pid: 2 ** 22 + 1, startTime: '1' }
let dataDir: string
let living: ProcessIdentity

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tandem-servers-'))
  const row = await systemProcesses().find(process.pid)
  living = { pid: process.pid, startTime: row?.startTime ?? '' }
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const open = (bootId = 'boot 1') => new KnownServers({ dataDir, processes: systemProcesses(), bootId, log: silentLog })
const file = () => join(dataDir, 'tmux-servers.json')

test('an earlier server that still runs is known to the next host, until it is gone', async () => {
  await open().saw(living)
  expect(await open().elsewhere(GONE)).toMatchObject(living)
  expect(await open().elsewhere(living)).toBeUndefined()
  await open().saw(GONE)
  expect(await open().elsewhere(GONE)).toMatchObject(living)
  writeFileSync(file(), readFileSync(file(), 'utf8').replace(`"${living.startTime}"`, '"1"'))
  expect(await open().elsewhere(GONE)).toBeUndefined()
})

test('a process with the same number that started at another time is another process', async () => {
  await open().saw({ ...living, startTime: '1' })
  expect(await open().elsewhere(GONE)).toBeUndefined()
  await open().saw(living)
  expect(await open().elsewhere(GONE)).toMatchObject(living)
})

test('after a restart of the machine no earlier server can run, whatever its number', async () => {
  await open('boot 1').saw(living)
  const after = open('boot 2')
  expect(after.isRebooted).toBe(true)
  expect(await after.elsewhere(GONE)).toBeUndefined()
  await after.saw(GONE)
  expect(open('boot 2').isRebooted).toBe(false)
})

test('a first start is no restart of the machine', () => {
  expect(open().isRebooted).toBe(false)
})

test('a damaged list is kept aside', async () => {
  writeFileSync(file(), '{"version":1,"boo')
  const servers = open()
  expect(servers.isRebooted).toBe(false)
  await servers.saw(living)
  expect(readdirSync(dataDir).filter((name) => name.includes('.corrupt-'))).toHaveLength(1)
})

test('a server that was started meanwhile is noted with the first terminal in it', async () => {
  const fixture = new WorkspacesFixture()
  const key = { project: fixture.project, session: 'default' }
  try {
    const keeper = { now: GONE }
    Object.assign(fixture.backend, { keeper: () => keeper.now })
    const host = fixture.host()
    await host.create(FULL_ACCESS, key)
    keeper.now = living
    await host.create(FULL_ACCESS, key)
    expect(readFileSync(join(fixture.dataDir, 'tmux-servers.json'), 'utf8')).toContain(`"pid": ${living.pid}`)
  } finally {
    await fixture.close()
  }
})

test('records stay, unknown, while the server of before runs beside an empty one; one in a pty is gone', async () => {
  const fixture = new WorkspacesFixture()
  const key = { project: fixture.project, session: 'default' }
  try {
    const keeper = { now: living }
    Object.assign(fixture.backend, { keeper: () => keeper.now })
    const { record } = await fixture.host().create(FULL_ACCESS, key)
    const { sessions, ...store } = fixture.readStore()
    const pty = { ...sessions[0], id: '00000000-0000-4000-8000-000000000009', backend: 'pty', order: 1 }
    fixture.writeStore({ ...store, sessions: [...sessions, pty] })
    fixture.backend.crash()
    fixture.backend.programs.clear()
    keeper.now = GONE
    const next = fixture.host()
    expect(await next.start()).toEqual({ removed: 1, killed: 0, adopted: 0 })
    const doubtful = await next.list(FULL_ACCESS, key)
    expect(doubtful.sessions).toMatchObject([{ id: record.id, state: 'unknown' }])
    expect(doubtful.warnings).toMatchObject([
      { code: 'TMUX_UNAVAILABLE', message: expect.stringContaining(`pid ${process.pid}`) }
    ])
    await expect(next.restart(FULL_ACCESS, key, record.id)).rejects.toBeInstanceOf(AppError)
    expect((await next.create(FULL_ACCESS, key)).record.order).toBe(1)
    const servers = join(fixture.dataDir, 'tmux-servers.json')
    writeFileSync(servers, readFileSync(servers, 'utf8').replace(`"${living.startTime}"`, '"1"'))
    fixture.backend.crash()
    expect(await fixture.host().start()).toMatchObject({ removed: 1 })
  } finally {
    await fixture.close()
  }
})
