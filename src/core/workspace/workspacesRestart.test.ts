import { readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { projectHashOf } from './paths'
import { FULL_ACCESS, strayRecord, WorkspacesFixture } from './workspacesFixture.testing'

const OLD = '2020-01-01T00:00:00.000Z'
const DOUBT = new AppError('TMUX_UNRESPONSIVE', 'tmux did not answer')
let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(() => fixture.close())

function key(session = 'default') {
  return { project: fixture.project, session }
}

async function withTerminals(count: number, host = fixture.host()) {
  const records = []
  for (let index = 0; index < count; index += 1) records.push((await host.create(FULL_ACCESS, key())).record)
  return { host, records }
}

describe('a host that starts again', () => {
  test('finds every terminal with its name and place', async () => {
    const { host, records } = await withTerminals(3)
    await host.rename(FULL_ACCESS, key(), records[1]?.id ?? '', 'kept')
    fixture.backend.crash()
    const next = fixture.host()
    expect(await next.start()).toEqual({ removed: 0, killed: 0, adopted: 0 })
    const { sessions } = await next.list(FULL_ACCESS, key())
    expect(sessions.map(({ id, state }) => [id, state])).toEqual(records.map(({ id }) => [id, 'running']))
    expect(sessions[1]?.name).toBe('kept')
    expect(await next.summaries(FULL_ACCESS)).toMatchObject([{ terminals: 3, running: 3 }])
    expect(fixture.logged).toContain('Reconciled: removed 0 orphan records, killed 0 orphan tmux sessions, adopted 0')
  })

  test('puts an adopted terminal back between its neighbours when one before it is gone', async () => {
    const { records } = await withTerminals(4)
    fixture.backend.crash()
    const store = fixture.readStore()
    fixture.writeStore({ ...store, sessions: store.sessions.filter(({ order }) => order !== 2) })
    fixture.backend.programs.delete(records[0]?.id ?? '')
    const next = fixture.host()
    await next.start()
    const { sessions } = await next.list(FULL_ACCESS, key())
    expect(sessions.map(({ id, order }) => [id, order])).toEqual(
      [1, 2, 3].map((index) => [records[index]?.id, index - 1])
    )
  })

  test('adopts what has no record at its stamped place, and moves what is gone to the ended', async () => {
    const { records } = await withTerminals(4)
    fixture.backend.crash()
    const store = fixture.readStore()
    fixture.writeStore({ ...store, sessions: store.sessions.filter(({ order }) => order !== 1) })
    fixture.backend.programs.delete(records[2]?.id ?? '')
    const next = fixture.host()
    expect(await next.start()).toEqual({ removed: 1, killed: 0, adopted: 1 })
    expect((await next.list(FULL_ACCESS, key())).sessions.map(({ id, order }) => [id, order])).toEqual([
      [records[0]?.id, 0],
      [records[1]?.id, 1],
      [records[3]?.id, 2]
    ])
    expect(fixture.readStore().ended).toMatchObject([{ id: records[2]?.id }])
    expect(fixture.backend.program(records[3]?.id).stamp.order).toBe(2)
    expect(fixture.logged).toContain('Reconciled: removed 1 orphan records, killed 0 orphan tmux sessions, adopted 1')
  })

  test('finds terminals of a workspace whose store and list of workspaces are both lost', async () => {
    const { records } = await withTerminals(2)
    fixture.backend.crash()
    rmSync(join(fixture.project, '.collab'), { recursive: true })
    writeFileSync(join(fixture.dataDir, 'workspaces.json'), '{"half')
    const next = fixture.host()
    expect(await next.start()).toMatchObject({ adopted: 2 })
    expect((await next.list(FULL_ACCESS, key())).sessions.map(({ id }) => id)).toEqual(records.map(({ id }) => id))
    expect(fixture.readStore().sessions).toHaveLength(2)
  })

  test('with orphans set to kill, ends exactly the stamped ones without a record', async () => {
    const { host, records } = await withTerminals(2)
    const other = await host.create(FULL_ACCESS, key('default-b'))
    fixture.backend.crash()
    const store = fixture.readStore()
    fixture.writeStore({ ...store, sessions: store.sessions.slice(1) })
    fixture.settings.orphans = 'kill'
    const next = fixture.host()
    expect(await next.start()).toEqual({ removed: 0, killed: 1, adopted: 0 })
    expect([...fixture.backend.programs.keys()].sort()).toEqual([records[1]?.id, other.record.id].sort())
  })

  test('with orphans set to kill, a broken store is no reason to kill', async () => {
    const { records } = await withTerminals(2)
    fixture.backend.crash()
    fixture.writeStore('')
    unlinkSync(`${fixture.storePath()}.bak`)
    fixture.settings.orphans = 'kill'
    const next = fixture.host()
    expect(await next.start()).toMatchObject({ killed: 0, adopted: 2 })
    expect(fixture.backend.programs.size).toBe(records.length)
  })

  test('never takes up a terminal of another owner, or one whose stamp contradicts itself', async () => {
    const { records } = await withTerminals(3)
    fixture.backend.crash()
    const [foreign, forged, mine] = records.map(({ id }) => fixture.backend.program(id))
    if (!foreign || !forged) throw new Error('There must be three')
    foreign.stamp = { ...foreign.stamp, owner: '99999999-2222-4333-8444-555555555555' }
    forged.stamp = { ...forged.stamp, projectHash: projectHashOf('/elsewhere') }
    const next = fixture.host()
    await next.start()
    expect([foreign.isListenedTo, forged.isListenedTo, mine?.isListenedTo]).toEqual([false, false, true])
    expect(() => next.terminal(FULL_ACCESS, foreign.stamp.id)).toThrow('Session not found')
  })

  test('learns of no workspace through the stamp of another owner', async () => {
    const { record } = await fixture.host().create(FULL_ACCESS, key())
    fixture.backend.crash()
    const program = fixture.backend.program(record.id)
    program.stamp = { ...program.stamp, owner: '99999999-2222-4333-8444-555555555555' }
    rmSync(join(fixture.dataDir, 'workspaces.json'))
    const next = fixture.host()
    await next.start()
    expect(await next.summaries(FULL_ACCESS)).toEqual([])
    expect(fixture.readStore().sessions).toHaveLength(1)
  })

  test('changes nothing while it is not known what lives, and catches up later', async () => {
    const { records } = await withTerminals(2)
    fixture.backend.crash()
    const before = readFileSync(fixture.storePath())
    fixture.backend.fail('list', DOUBT)
    const next = fixture.host()
    expect(await next.start()).toEqual({ removed: 0, killed: 0, adopted: 0 })
    const doubtful = await next.list(FULL_ACCESS, key())
    expect(doubtful.sessions).toMatchObject([{ state: 'unknown' }, { state: 'unknown' }])
    expect(doubtful.warnings).toMatchObject([{ code: 'TMUX_UNRESPONSIVE' }])
    await expect(next.kill(FULL_ACCESS, key(), records[0]?.id ?? '')).rejects.toMatchObject({
      code: 'TMUX_UNRESPONSIVE'
    })
    expect(readFileSync(fixture.storePath())).toEqual(before)
    fixture.backend.fail('list', undefined)
    expect((await next.list(FULL_ACCESS, key())).sessions).toMatchObject([{ state: 'running' }, { state: 'running' }])
  })

  test('shows a terminal it could not take up as unknown, and tries again', async () => {
    await withTerminals(1)
    fixture.backend.crash()
    fixture.backend.fail('adopt', DOUBT)
    const next = fixture.host()
    await next.start()
    expect((await next.list(FULL_ACCESS, key())).sessions).toMatchObject([{ state: 'unknown' }])
    fixture.backend.fail('adopt', undefined)
    expect((await next.list(FULL_ACCESS, key())).sessions).toMatchObject([{ state: 'running' }])
  })
})

describe('a keeper that dies while we watch', () => {
  test('leaves its terminals lost, until the next reconcile moves them to the ended', async () => {
    const { host, records } = await withTerminals(2)
    for (const { id } of records) {
      fixture.backend.program(id).setPresence('lost')
      fixture.backend.programs.delete(id)
    }
    expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ state: 'lost' }, { state: 'lost' }])
    expect(fixture.readStore().sessions).toHaveLength(2)
    const next = fixture.host()
    expect(await next.start()).toMatchObject({ removed: 2 })
    expect(fixture.readStore()).toMatchObject({ sessions: [], ended: [{}, {}] })
  })
})

test('a program that ended stays listed, although its keeper does not list it any more', async () => {
  const { host, records } = await withTerminals(1)
  fixture.backend.program().finish(0)
  fixture.backend.programs.clear()
  for (const name of ['a', 'b']) await host.rename(FULL_ACCESS, key(), records[0]?.id ?? '', name)
  // A broken store is reconciled at once, from the generation before, which has the record.
  fixture.writeStore('broken')
  expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ id: records[0]?.id, state: 'exited' }])
  expect(fixture.readStore().ended).toEqual([])
  rmSync(fixture.storePath())
  expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ id: records[0]?.id, state: 'exited' }])
})

describe('when a listing reconciles', () => {
  test('not while the file is fresh', async () => {
    fixture.writeStore({ sessions: [strayRecord(1)], lastModified: new Date().toISOString() })
    expect((await fixture.host().list(FULL_ACCESS, key())).sessions).toHaveLength(1)
  })

  test.each([OLD, 'no time at all', '9999-01-01T00:00:00.000Z'])('when the file is of %s', async (lastModified) => {
    fixture.writeStore({ sessions: [strayRecord(1)], lastModified })
    expect((await fixture.host().list(FULL_ACCESS, key())).sessions).toEqual([])
    expect(fixture.readStore().ended).toMatchObject([{ name: 'Stray 1' }])
  })

  test('not again within five minutes, however old the file is', async () => {
    const host = fixture.host()
    fixture.writeStore({ sessions: [], lastModified: OLD })
    await host.create(FULL_ACCESS, key())
    fixture.writeStore({ ...fixture.readStore(), lastModified: OLD })
    await host.list(FULL_ACCESS, key())
    const store = fixture.readStore()
    fixture.writeStore({ ...store, sessions: [...store.sessions, strayRecord(1)], lastModified: OLD })
    expect((await host.list(FULL_ACCESS, key())).sessions).toHaveLength(2)
  })

  test('and nothing changed, it does not write', async () => {
    const { host } = await withTerminals(1)
    fixture.writeStore({ ...fixture.readStore(), lastModified: OLD })
    const before = readFileSync(fixture.storePath())
    await host.list(FULL_ACCESS, key())
    expect(readFileSync(fixture.storePath())).toEqual(before)
  })

  test('a missing file is rebuilt from what lives, and said', async () => {
    const { host, records } = await withTerminals(2)
    rmSync(dirname(fixture.storePath()), { recursive: true })
    const { sessions, warnings } = await host.list(FULL_ACCESS, key())
    expect(sessions.map(({ id, state }) => [id, state])).toEqual(records.map(({ id }) => [id, 'running']))
    expect(warnings).toMatchObject([{ code: 'STORE_CORRUPT' }])
    expect(fixture.readStore().sessions).toHaveLength(2)
    expect((await host.list(FULL_ACCESS, key())).warnings).toEqual([])
  })
})
