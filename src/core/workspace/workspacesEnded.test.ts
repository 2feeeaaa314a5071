import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { FULL_ACCESS, strayRecord, WorkspacesFixture } from './workspacesFixture.testing'

const DOUBT = new AppError('TMUX_UNRESPONSIVE', 'tmux did not answer')
let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(() => fixture.close())

const key = (session = 'default') => ({ project: fixture.project, session })

async function withTerminals(count: number, host = fixture.host()) {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const cwd = fixture.makeProject(`project/part${index}`)
    const { record } = await host.create(FULL_ACCESS, { ...key(), name: `tab ${index}`, cwd })
    ids.push(record.id)
  }
  const [first = '', second = '', third = ''] = ids
  return { host, ids, first, second, third }
}

/** The tmux server goes down with everything in it, and the host too. */
function losePrograms(): void {
  fixture.backend.crash()
  fixture.backend.programs.clear()
}

async function listed(host = fixture.host()) {
  const { sessions } = await host.list(FULL_ACCESS, key())
  return sessions.map(({ id, name, order, state }) => [id, name, order, state])
}

describe('a closed terminal', () => {
  test('is listed as ended, and comes back with its id, name, place, directory and program', async () => {
    const { host, first, second, third } = await withTerminals(3)
    const before = (await host.list(FULL_ACCESS, key())).sessions[1]
    await host.kill(FULL_ACCESS, key(), second)
    const { ended } = await host.ended(FULL_ACCESS, key())
    expect(ended).toMatchObject([{ id: second, name: 'tab 1', order: 1, reason: 'closed', offered: false }])
    const { record, warnings } = await host.restart(FULL_ACCESS, key(), second)
    expect(warnings).toEqual([])
    expect(record).toMatchObject({ id: second, name: 'tab 1', order: 1, state: 'running' })
    expect(record).toMatchObject({ cwd: before?.cwd, program: before?.program, created: before?.created })
    expect(record.tmuxSession).not.toBe(before?.tmuxSession)
    expect(fixture.backend.program(second).spec).toMatchObject({ cwd: before?.cwd, command: [before?.program] })
    expect((await listed(host)).map(([id]) => id)).toEqual([first, second, third])
    expect(fixture.readStore().ended).toEqual([])
    expect((await host.ended(FULL_ACCESS, key())).ended).toEqual([])
  })

  test('can be named by any of its handles, and is unknown elsewhere', async () => {
    const { host, first } = await withTerminals(1)
    await host.kill(FULL_ACCESS, key(), first)
    await expect(host.restart(FULL_ACCESS, key('other'), first)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    const { record } = await host.restart(FULL_ACCESS, key(), `sess_${first.slice(0, 8)}`)
    expect(record.id).toBe(first)
  })

  test('never reuses an offset of its output, after any number of starts and hosts', async () => {
    const { host, first } = await withTerminals(1)
    for (const round of [1, 2]) {
      await host.kill(FULL_ACCESS, key(), first)
      await host.restart(FULL_ACCESS, key(), first)
      expect(host.terminal(FULL_ACCESS, first).log.start).toBe(round * 2 ** 40)
    }
    fixture.backend.crash()
    rmSync(fixture.storePath())
    const next = fixture.host()
    await next.start()
    await next.kill(FULL_ACCESS, key(), first)
    await next.restart(FULL_ACCESS, key(), first)
    expect(next.terminal(FULL_ACCESS, first).log.start).toBe(3 * 2 ** 40)
  })

  test('starts in the project with a warning when its directory is gone', async () => {
    const { host, first } = await withTerminals(1)
    await host.kill(FULL_ACCESS, key(), first)
    rmSync(join(fixture.project, 'part0'), { recursive: true })
    const { record, warnings } = await host.restart(FULL_ACCESS, key(), first)
    expect(record.cwd).toBe(fixture.project)
    expect(warnings).toMatchObject([{ code: 'NOT_FOUND', message: expect.stringContaining('part0') }])
  })

  test('stays ended when its program is gone, which is said by name', async () => {
    const host = fixture.host()
    const tool = join(fixture.makeProject('bin'), 'tool')
    copyFileSync('/bin/sh', tool)
    const { record } = await host.create(FULL_ACCESS, { ...key(), command: [tool] })
    await host.kill(FULL_ACCESS, key(), record.id)
    rmSync(tool)
    const restart = host.restart(FULL_ACCESS, key(), record.id)
    await expect(restart).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND', message: expect.stringContaining(tool) })
    expect(fixture.readStore()).toMatchObject({ sessions: [], ended: [{ id: record.id }] })
  })

  test('is ended again when the store cannot be written', async () => {
    const { host, first } = await withTerminals(1)
    await host.kill(FULL_ACCESS, key(), first)
    const store = fixture.readStore()
    const create = fixture.backend.create.bind(fixture.backend)
    fixture.backend.create = async (spec, listener) => {
      const program = await create(spec, listener)
      rmSync(fixture.storePath())
      mkdirSync(`${fixture.storePath()}/in/the/way`, { recursive: true })
      rmSync(`${fixture.storePath()}.bak`, { force: true })
      mkdirSync(`${fixture.storePath()}.bak/in/the/way`, { recursive: true })
      return program
    }
    await expect(host.restart(FULL_ACCESS, key(), first)).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
    expect(fixture.backend.programs.size).toBe(0)
    rmSync(fixture.storePath(), { recursive: true })
    fixture.writeStore(store)
    expect((await host.ended(FULL_ACCESS, key())).ended).toMatchObject([{ id: first }])
  })
})

describe('a terminal that is still listed', () => {
  test.each([
    ['exited', () => fixture.backend.program().finish(3)],
    ['lost', () => losePresence()]
  ])('starts again in its place when it is %s', async (state, end) => {
    const { host, ids, third } = await withTerminals(3)
    const old = fixture.backend.program(third)
    end()
    expect((await listed(host))[2]).toEqual([third, 'tab 2', 2, state])
    await host.restart(FULL_ACCESS, key(), third)
    expect((await listed(host)).map(([id, , , now]) => [id, now])).toEqual(ids.map((id) => [id, 'running']))
    expect(fixture.backend.programs.size).toBe(3)
    expect(old.isListenedTo).toBe(false)
    expect(fixture.readStore().ended).toEqual([])
  })

  function losePresence(): void {
    const program = fixture.backend.program()
    program.setPresence('lost')
    fixture.backend.programs.delete(program.stamp.id)
  }

  test('is refused while it runs, and while nobody knows', async () => {
    const { host, first } = await withTerminals(1)
    await expect(host.restart(FULL_ACCESS, key(), first)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    fixture.backend.program(first).setPresence('unknown')
    await expect(host.restart(FULL_ACCESS, key(), first)).rejects.toMatchObject({ code: 'SESSION_ERROR' })
    expect(fixture.backend.program(first).killed).toBeUndefined()
  })

  test('is refused when it lives although this host does not hold it, and when that cannot be told', async () => {
    const { first } = await withTerminals(1)
    fixture.backend.crash()
    const next = fixture.host()
    fixture.backend.fail('list', DOUBT)
    await expect(next.restart(FULL_ACCESS, key(), first)).rejects.toBe(DOUBT)
    fixture.backend.fail('list', undefined)
    await expect(next.restart(FULL_ACCESS, key(), first)).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    expect(fixture.backend.program(first).killed).toBeUndefined()
  })

  test('takes no more room than before', async () => {
    const { host, second } = await withTerminals(2)
    fixture.settings.max_terminals = 2
    fixture.backend.program(second).finish(0)
    expect((await host.restart(FULL_ACCESS, key(), second)).record.state).toBe('running')
    await host.kill(FULL_ACCESS, key(), second)
    await host.create(FULL_ACCESS, key())
    await expect(host.restart(FULL_ACCESS, key(), second)).rejects.toMatchObject({ code: 'MAX_SESSIONS' })
  })
})

describe('after everything was lost', () => {
  test('all terminals are offered, nothing starts by itself, and each comes back to its place', async () => {
    const { ids } = await withTerminals(3)
    losePrograms()
    const next = fixture.host()
    expect(await next.start()).toEqual({ removed: 3, killed: 0, adopted: 0 })
    const { ended } = await next.ended(FULL_ACCESS, key())
    expect(ended.map(({ id, reason, offered }) => [id, reason, offered])).toEqual(
      ids.map((id) => [id, 'vanished', true])
    )
    expect(fixture.backend.programs.size).toBe(0)
    expect(await next.summaries(FULL_ACCESS)).toMatchObject([{ terminals: 0, running: 0, offered: 3 }])
    for (const { id } of [...ended].sort((a, b) => a.order - b.order)) await next.restart(FULL_ACCESS, key(), id)
    expect(await listed(next)).toEqual(ids.map((id, order) => [id, `tab ${order}`, order, 'running']))
    expect(fixture.backend.program(ids[1]).spec?.cwd).toBe(join(fixture.project, 'part1'))
    expect((await next.summaries(FULL_ACCESS))[0]).not.toHaveProperty('offered')
  })

  test('more than fifty are offered too, also when many were opened and closed since', async () => {
    const host = fixture.host()
    const ids: string[] = []
    for (let index = 0; index < 60; index += 1) ids.push((await host.create(FULL_ACCESS, key())).record.id)
    losePrograms()
    const next = fixture.host()
    await next.start()
    for (let index = 0; index < 55; index += 1) {
      await next.kill(FULL_ACCESS, key(), (await next.create(FULL_ACCESS, key())).record.id)
    }
    const { ended } = await fixture.host().ended(FULL_ACCESS, key())
    expect(ended.filter(({ offered }) => offered).map(({ id }) => id)).toEqual(ids)
    expect(ended).toHaveLength(110)
  })

  test('what is forgotten is offered no longer, and can still be had', async () => {
    const { first, second } = await withTerminals(2)
    losePrograms()
    const next = fixture.host()
    await next.start()
    expect(await next.forgetEnded(FULL_ACCESS, key(), [first, 'nobody'])).toBe(1)
    const offers = (await next.ended(FULL_ACCESS, key())).ended.map(({ id, offered }) => [id, offered])
    expect(offers).toEqual([
      [first, false],
      [second, true]
    ])
    expect((await next.restart(FULL_ACCESS, key(), first)).record.name).toBe('tab 0')
  })
})

describe('records that came with the files of a project', () => {
  const hostile = (more: object = {}) => strayRecord(1, { program: '/bin/true', cwd: '/etc', ...more })
  const at = { endedAt: '2026-01-01T00:00:00.000Z', reason: 'host-rebooted' }

  test('are not offered, and only the default shell is ever started for them, in the project', async () => {
    fixture.writeStore({ version: 1, sessions: [], ended: [hostile(at)], lastModified: new Date().toISOString() })
    const host = fixture.host()
    await host.start()
    const { ended } = await host.ended(FULL_ACCESS, key())
    expect(ended).toMatchObject([{ name: 'Stray 1', offered: false }])
    expect(fixture.backend.programs.size).toBe(0)
    const { record, warnings } = await host.restart(FULL_ACCESS, key(), hostile().id)
    expect(record).toMatchObject({ program: '/bin/sh', cwd: fixture.project })
    expect(warnings.map(({ code }) => code)).toEqual(['OUTSIDE_PROJECT', 'UNAUTHORIZED'])
  })

  test('cannot borrow a seal: it holds for one id, project, session, program and directory', async () => {
    const { host, first } = await withTerminals(1)
    await host.kill(FULL_ACCESS, key(), first)
    const [sealed] = fixture.readStore().ended
    const forged = [{ program: '/bin/true' }, { cwd: '/etc' }, { id: strayRecord(2).id }]
    for (const [index, change] of forged.entries()) {
      const ended = [{ ...sealed, ...change, ...at }]
      fixture.writeStore({ version: 1, sessions: [], ended, lastModified: at.endedAt }, `forged${index}`)
      fixture.writeStore({ version: 1, sessions: [], ended, lastModified: at.endedAt })
      for (const session of ['default', `forged${index}`]) {
        expect((await host.ended(FULL_ACCESS, key(session))).ended).toMatchObject([{ offered: false }])
      }
    }
  })

  test('a file that names another program for a living terminal does not get it sealed', async () => {
    const { host, first } = await withTerminals(1)
    fixture.backend.crash()
    const store = fixture.readStore()
    fixture.writeStore({ ...store, sessions: store.sessions.map((one) => ({ ...one, program: '/bin/true' })) })
    const next = fixture.host()
    await next.start()
    expect(fixture.readStore().sessions).toMatchObject([{ program: '/bin/sh' }])
    await next.kill(FULL_ACCESS, key(), first)
    expect((await next.restart(FULL_ACCESS, key(), first)).record.program).toBe('/bin/sh')
    await host.stop()
  })
})

test('a newer store shows its ended terminals, and is not changed to start one', async () => {
  const future = { version: 2, sessions: [], ended: [strayRecord(1)], lastModified: new Date().toISOString() }
  fixture.writeStore(future)
  const before = readFileSync(fixture.storePath(), 'utf8')
  const host = fixture.host()
  expect((await host.ended(FULL_ACCESS, key())).ended).toMatchObject([{ name: 'Stray 1' }])
  const refused = { code: 'STORE_WRITE_FAILED', message: expect.stringContaining('version 2') }
  await expect(host.restart(FULL_ACCESS, key(), strayRecord(1).id)).rejects.toMatchObject(refused)
  await expect(host.forgetEnded(FULL_ACCESS, key(), [strayRecord(1).id])).rejects.toMatchObject(refused)
  expect(readFileSync(fixture.storePath(), 'utf8')).toBe(before)
  expect(fixture.backend.programs.size).toBe(0)
})
