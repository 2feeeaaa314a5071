import { EventEmitter, once } from 'node:events'
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Access } from '../../shared/access'
import type { AnywhereRequest } from './placeTerminal'
import type { Workspaces } from './workspaces'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

let fixture: WorkspacesFixture
let workspaces: Workspaces

beforeEach(() => {
  fixture = new WorkspacesFixture()
  workspaces = fixture.host()
})
afterEach(() => fixture.close())

function create(request: Partial<AnywhereRequest> = {}, access: Access = FULL_ACCESS) {
  return workspaces.createAnywhere(access, { openedBy: { toolset: 'exec' }, ...request })
}

/** As an engine does when it needs room. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
}

function limitedTo(...projects: string[]): Access {
  return { ...FULL_ACCESS, name: 'limited', projects }
}

describe('the workspace of a terminal made without one', () => {
  test('is the named project, else the nearest directory upwards with .collab or .git, else the directory itself', async () => {
    const repository = fixture.makeProject('repository')
    mkdirSync(join(repository, '.git'))
    const deep = fixture.makeProject('repository/packages/deep')
    const plain = fixture.makeProject('plain/sub')
    expect((await create({ project: fixture.project, cwd: deep })).place).toEqual({
      project: fixture.project,
      session: 'default'
    })
    expect((await create({ cwd: deep })).place.project).toBe(repository)
    expect((await create({ cwd: plain })).place.project).toBe(plain)
    expect((await create({ cwd: plain, session: 'team/review' })).place.session).toBe('team/review')
  })

  test('is the home directory without any, and where a project cannot be made', async () => {
    const locked = fixture.makeProject('locked')
    chmodSync(locked, 0o500)
    // Nothing is locked for root.
    const isRoot = process.getuid?.() === 0
    const { place, record } = await create({ cwd: locked })
    expect(place.project).toBe(isRoot ? locked : fixture.root)
    expect(record.cwd).toBe(locked)
    expect((await create()).place.project).toBe(fixture.root)
  })

  test('is where the caller runs when nothing is named; a directory of its that is gone is no error', async () => {
    const { place, record } = await create({ callerCwd: fixture.project })
    expect([place.project, record.cwd]).toEqual([fixture.project, fixture.project])
    expect((await create({ callerCwd: join(fixture.root, 'gone') })).place.project).toBe(fixture.root)
    const named = await create({ project: fixture.makeProject('named'), callerCwd: fixture.project })
    expect(named.record.cwd).toBe(join(fixture.root, 'named'))
  })

  test('is never one the token may not see', async () => {
    mkdirSync(join(fixture.root, '.git'))
    const access = limitedTo(fixture.project)
    expect((await create({ cwd: fixture.project }, access)).place.project).toBe(fixture.project)
    await expect(create({}, access)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    const refusalOf = async (request: Partial<AnywhereRequest>) => {
      const refusal: unknown = await create(request, access).catch((thrown: unknown) => thrown)
      return String(refusal).replaceAll(String(request.cwd), 'CWD')
    }
    const gone = join(fixture.root, 'gone')
    for (const foreign of [fixture.dataDir, '/proc', fixture.root]) {
      expect(await refusalOf({ cwd: foreign })).toBe(await refusalOf({ cwd: gone }))
      expect(await refusalOf({ callerCwd: foreign })).toBe(await refusalOf({ callerCwd: gone }))
    }
  })

  test('holds an exec terminal inside it, after all links', async () => {
    const outside = fixture.makeProject('outside')
    symlinkSync(outside, join(fixture.project, 'link'))
    const request = { project: fixture.project, insideProject: true }
    const refused = create({ ...request, cwd: join(fixture.project, 'link') })
    await expect(refused).rejects.toMatchObject({ code: 'OUTSIDE_PROJECT' })
    await expect(create({ ...request, cwd: outside })).rejects.toMatchObject({ code: 'OUTSIDE_PROJECT' })
    await expect(create({ ...request, cwd: 'relative' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    expect((await create({ ...request, cwd: fixture.makeProject('project/sub') })).record.cwd).toContain('/sub')
  })

  test('names it by what it is, unless a name is given', async () => {
    const names = async (request: Partial<AnywhereRequest>) =>
      (await create({ project: fixture.project, ...request })).record.name
    expect(await names({ openedBy: { toolset: 'tracked' } })).toBe('Tracked Terminal')
    expect(await names({ command: ['/bin/sh'], name: ' ' })).toBe('Terminal 2')
    expect(await names({ openedBy: { toolset: 'pty' }, command: ['/usr/bin/env'] })).toBe('env')
    expect(await names({ openedBy: { toolset: 'tracked' }, name: 'build' })).toBe('build')
  })
})

test('all terminals of all projects are listed with their place, for whom may see them', async () => {
  const other = fixture.makeProject('other')
  const one = await create({ project: fixture.project })
  const two = await create({ project: other, session: 'team' })
  expect(await workspaces.listAll(FULL_ACCESS)).toMatchObject([
    { id: one.record.id, project: fixture.project, session: 'default', state: 'running' },
    { id: two.record.id, project: other, session: 'team', tmuxSession: two.record.tmuxSession }
  ])
  expect(await workspaces.listAll(limitedTo(other))).toMatchObject([{ id: two.record.id }])
})

test('no more than max_sessions of the pty toolset run at once, also after a restart of the host', async () => {
  fixture.settings = { ...fixture.settings, max_sessions: 2 }
  const session = () => create({ project: fixture.project, openedBy: { toolset: 'pty' } })
  const [first] = await Promise.all([session(), session()])
  await expect(session()).rejects.toMatchObject({ code: 'MAX_SESSIONS', message: 'Maximum sessions reached (2)' })
  await create({ project: fixture.project })
  fixture.backend.crash()
  workspaces = fixture.host()
  await workspaces.start()
  await expect(session()).rejects.toMatchObject({ code: 'MAX_SESSIONS' })
  await workspaces.rename(FULL_ACCESS, first.place, first.record.id, 'renamed')
  expect(fixture.backend.program(first.record.id).stamp).toMatchObject({
    name: 'renamed',
    openedBy: { toolset: 'pty' }
  })
  fixture.backend.program(first.record.id).finish(0, null)
  await session()
})

describe('a closed terminal', () => {
  test('leaves every list at once, keeps its output, and is known as closed by every handle', async () => {
    const { record } = await create({ project: fixture.project })
    fixture.backend.program(record.id).emit('last words')
    const hasHung = new EventEmitter()
    fixture.backend.delay(
      'kill',
      once(hasHung, 'enough').then(() => undefined)
    )
    const { warnings } = await workspaces.closeByHandle(FULL_ACCESS, record.tmuxSession)
    expect(warnings).toEqual([])
    for (const handle of [record.id, record.tmuxSession, `sess_${record.id.slice(0, 8)}`]) {
      expect(() => workspaces.terminal(FULL_ACCESS, handle)).toThrow(/destroyed/)
      const log = workspaces.closed(FULL_ACCESS, handle)?.log
      expect(log?.read(0, 100).bytes.toString()).toBe('last words')
    }
    expect(await workspaces.listAll(FULL_ACCESS)).toEqual([])
    hasHung.emit('enough')
    await expect.poll(() => fixture.backend.programs.size).toBe(0)
    await expect.poll(() => workspaces.closed(FULL_ACCESS, record.id)?.exit?.signal).toBe('SIGTERM')
    expect(workspaces.closed(FULL_ACCESS, record.id)?.name).toBe('Terminal 1')
    await workspaces.closeByHandle(FULL_ACCESS, record.id)
  })

  test('keeps its output and its commands, and nothing else of it stays in memory', async () => {
    const { record } = await create({ project: fixture.project })
    const screen = new WeakRef(workspaces.terminal(FULL_ACCESS, record.id).screen)
    fixture.backend.program(record.id).emit('last words')
    await workspaces.closeByHandle(FULL_ACCESS, record.id, { wait: true })
    const isGone = () => {
      collectGarbage()
      return screen.deref() === undefined
    }
    await expect.poll(isGone).toBe(true)
    const closed = workspaces.closed(FULL_ACCESS, record.id)
    expect(closed?.log?.read(0, 100).bytes.toString()).toBe('last words')
    expect(closed?.commands).toEqual([])
  })

  test('is ended before the answer with wait, at once with force', async () => {
    const { record } = await create({ project: fixture.project })
    const program = fixture.backend.program(record.id)
    const { closed } = await workspaces.closeByHandle(FULL_ACCESS, record.id, { wait: true, force: true })
    expect(program.killed).toEqual({ force: true })
    expect(closed?.exit).toEqual({ exitCode: null, signal: 'SIGKILL' })
  })

  test('is as unknown as one that never was for whom may not see it', async () => {
    const { record } = await create({ project: fixture.project })
    const foreign = limitedTo(fixture.makeProject('other'))
    await expect(workspaces.closeByHandle(foreign, record.id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await workspaces.closeByHandle(FULL_ACCESS, record.id)
    expect(workspaces.closed(foreign, record.id)).toBeUndefined()
    expect(() => workspaces.terminal(foreign, record.id)).toThrow(/not found/)
    await expect(workspaces.closeByHandle(foreign, record.id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(workspaces.closeByHandle(FULL_ACCESS, 'mc-no-such')).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND'
    })
  })

  test('is known as closed after a restart of the host; only the newest fifty keep output', async () => {
    const { record } = await create({ project: fixture.project })
    await workspaces.closeByHandle(FULL_ACCESS, record.id, { wait: true })
    for (let count = 0; count < 50; count++) {
      const { record: next } = await create({ project: fixture.project })
      await workspaces.closeByHandle(FULL_ACCESS, next.id, { wait: true })
    }
    expect(workspaces.closed(FULL_ACCESS, record.id)).toMatchObject({ id: record.id, log: undefined })
    const [newest] = fixture.readStore().ended
    workspaces = fixture.host()
    await workspaces.start()
    expect(() => workspaces.terminal(FULL_ACCESS, String(newest?.id))).toThrow(/destroyed/)
  })
})

test('ephemeral terminals end with their bridge, and no others', async () => {
  const stays = await create({ project: fixture.project, openedBy: { toolset: 'exec', ephemeralOf: 'other' } })
  const { record } = await create({ project: fixture.project, openedBy: { toolset: 'exec', ephemeralOf: 'bridge' } })
  fixture.backend.crash()
  workspaces = fixture.host()
  await workspaces.start()
  expect(workspaces.endEphemeral('bridge')).toBe(1)
  await expect.poll(async () => (await workspaces.listAll(FULL_ACCESS)).map(({ id }) => id)).toEqual([stays.record.id])
  await expect.poll(() => fixture.backend.programs.has(record.id)).toBe(false)
  expect(workspaces.endEphemeral('bridge')).toBe(0)
})
