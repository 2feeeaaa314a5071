import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { FULL_ACCESS, strayRecord, WorkspacesFixture } from './workspacesFixture.testing'

let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(() => fixture.close())

function key(session = 'default', project = fixture.project) {
  return { project, session }
}

describe('listing', () => {
  test('a workspace nobody made is empty, and nothing is written', async () => {
    const host = fixture.host()
    expect(await host.list(FULL_ACCESS, key())).toEqual({ sessions: [], warnings: [] })
    expect(() => statSync(join(fixture.project, '.collab'))).toThrow()
    expect(await host.summaries(FULL_ACCESS)).toEqual([])
  })

  test('a fresh list is not written again', async () => {
    const host = fixture.host()
    await host.create(FULL_ACCESS, key())
    const before = readFileSync(fixture.storePath())
    await host.list(FULL_ACCESS, key())
    expect(readFileSync(fixture.storePath())).toEqual(before)
  })

  test('a program that ended stays in the list with its code', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    fixture.backend.program(record.id).finish(3)
    expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ state: 'exited', exitCode: 3 }])
    expect(await host.summaries(FULL_ACCESS)).toMatchObject([{ terminals: 1, running: 0, available: true }])
  })

  test('records of a cloned file are shown as lost, and never acted on', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key('mine'))
    const theirs = strayRecord(1, { id: record.id, tmuxSession: record.tmuxSession, command: 'touch /tmp/owned' })
    fixture.writeStore({ sessions: [theirs], lastModified: new Date().toISOString() }, 'cloned')
    expect((await host.list(FULL_ACCESS, key('cloned'))).sessions).toMatchObject([{ state: 'lost', pid: null }])
    expect(await host.kill(FULL_ACCESS, key('cloned'), record.tmuxSession)).toMatchObject({ success: true })
    expect(fixture.backend.program(record.id).killed).toBeUndefined()
    expect((await host.list(FULL_ACCESS, key('mine'))).sessions).toMatchObject([{ state: 'running' }])
  })

  test('a file that renames the tmux session of a record does not mislead', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    const store = fixture.readStore()
    fixture.writeStore({
      ...store,
      sessions: store.sessions.map((stored) => ({ ...stored, tmuxSession: 'mc-evil-1' }))
    })
    expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ tmuxSession: record.tmuxSession }])
  })
})

describe('renaming and reordering', () => {
  async function three(host = fixture.host()) {
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1) ids.push((await host.create(FULL_ACCESS, key())).record.id)
    const [a = '', b = '', c = ''] = ids
    return { host, ids: [a, b, c] as const }
  }

  test('a rename is in the file, in the list and in the stamp', async () => {
    const { host, ids } = await three()
    expect(await host.rename(FULL_ACCESS, key(), ids[1], '  new \u0007name ')).toBe(true)
    expect((await host.list(FULL_ACCESS, key())).sessions[1]?.name).toBe('new name')
    expect(fixture.readStore().sessions[1]?.name).toBe('new name')
    expect(fixture.backend.program(ids[1]).stamp.name).toBe('new name')
  })

  test('any handle of the workspace will do, none of another', async () => {
    const { host, ids } = await three()
    const other = await host.create(FULL_ACCESS, key('other'))
    const [session] = (await host.list(FULL_ACCESS, key())).sessions
    for (const handle of [ids[0], ids[0].toUpperCase(), `sess_${ids[0].slice(0, 8)}`, session?.tmuxSession ?? '']) {
      expect(await host.rename(FULL_ACCESS, key(), handle, handle)).toBe(true)
      expect(fixture.readStore().sessions[0]?.name).toBe(handle)
    }
    for (const handle of [other.record.id, other.record.tmuxSession, 'sess_00000000', '', '0', '__proto__']) {
      expect(await host.rename(FULL_ACCESS, key(), handle, 'x')).toBe(false)
      expect(await host.kill(FULL_ACCESS, key(), handle)).toEqual({ success: false, warnings: [] })
    }
    expect(fixture.backend.programs.size).toBe(4)
  })

  test('a new order is in the file, in the list and in the stamps', async () => {
    const { host, ids } = await three()
    await host.reorder(FULL_ACCESS, key(), [ids[2], ids[0], ids[1]])
    const { sessions } = await host.list(FULL_ACCESS, key())
    expect(sessions.map(({ id, order }) => [id, order])).toEqual([
      [ids[2], 0],
      [ids[0], 1],
      [ids[1], 2]
    ])
    expect(fixture.readStore().sessions.map(({ id, order }) => [id, order])).toEqual([
      [ids[2], 0],
      [ids[0], 1],
      [ids[1], 2]
    ])
    expect(ids.map((id) => fixture.backend.program(id).stamp.order)).toEqual([1, 2, 0])
  })

  test('an order that misses, doubles or invents an id is refused by that id', async () => {
    const { host, ids } = await three()
    const before = readFileSync(fixture.storePath())
    const refused = async (orderedIds: string[], named: string) => {
      const reorder = host.reorder(FULL_ACCESS, key(), orderedIds)
      await expect(reorder).rejects.toMatchObject({
        code: 'INVALID_ARGUMENTS',
        message: expect.stringContaining(named)
      })
    }
    await refused([ids[0], ids[1]], ids[2])
    await refused([ids[0], ids[1], ids[2], ids[0]], ids[0])
    await refused([ids[0], ids[1], ids[2], 'nobody'], 'nobody')
    await refused([ids[0], ids[1], `sess_${ids[0].slice(0, 8)}`, ids[2]], `sess_${ids[0].slice(0, 8)}`)
    await refused([], ids[0])
    expect(readFileSync(fixture.storePath())).toEqual(before)
  })

  test('an empty workspace can be put in its only order', async () => {
    await fixture.host().reorder(FULL_ACCESS, key(), [])
  })

  test('200 changes at once are all kept, one after the other', async () => {
    const { host, ids } = await three()
    const changes = Array.from({ length: 200 }, (_, index) => {
      if (index % 20 === 0) return host.create(FULL_ACCESS, { ...key(), name: `new ${index}` })
      return host.rename(FULL_ACCESS, key(), ids[index % 3] ?? '', `name ${index}`)
    })
    await Promise.all(changes)
    const { sessions } = fixture.readStore()
    expect(sessions.map(({ order }) => order)).toEqual(Array.from({ length: 13 }, (_, index) => index))
    expect(sessions.slice(0, 3).map(({ name }) => name)).toEqual(['name 198', 'name 199', 'name 197'])
    expect(ids.map((id) => fixture.backend.program(id).stamp.name)).toEqual(['name 198', 'name 199', 'name 197'])
  })

  test('fields of others survive every change', async () => {
    const { host, ids } = await three()
    const store = fixture.readStore()
    fixture.writeStore({
      ...store,
      theme: 'dark',
      sessions: store.sessions.map((record) => ({ ...record, pinned: record.order }))
    })
    await host.rename(FULL_ACCESS, key(), ids[0], 'x')
    await host.reorder(FULL_ACCESS, key(), [ids[2], ids[1], ids[0]])
    await host.kill(FULL_ACCESS, key(), ids[1])
    expect(fixture.readStore()).toMatchObject({
      theme: 'dark',
      sessions: [{ pinned: 2 }, { pinned: 0 }],
      ended: [{ pinned: 1 }]
    })
  })
})

describe('killing', () => {
  test('ends the program, closes the gap and remembers the end', async () => {
    const host = fixture.host()
    const records = []
    for (let index = 0; index < 3; index += 1) records.push((await host.create(FULL_ACCESS, key())).record)
    const program = fixture.backend.program(records[0]?.id)
    expect(await host.kill(FULL_ACCESS, key(), records[0]?.id ?? '')).toEqual({ success: true, warnings: [] })
    expect(program.killed).toEqual({ force: false })
    const store = fixture.readStore()
    expect(store.sessions.map(({ id, order }) => [id, order])).toEqual([
      [records[1]?.id, 0],
      [records[2]?.id, 1]
    ])
    expect(store.ended).toMatchObject([{ id: records[0]?.id, endedAt: expect.any(String) }])
    expect(fixture.backend.program(records[2]?.id).stamp.order).toBe(1)
    expect(await host.kill(FULL_ACCESS, key(), records[0]?.id ?? '')).toEqual({ success: false, warnings: [] })
    expect(await host.rename(FULL_ACCESS, key(), records[0]?.id ?? '', 'x')).toBe(false)
  })

  test('one whose session is gone already succeeds', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    fixture.backend.program(record.id).setPresence('lost')
    fixture.backend.programs.delete(record.id)
    expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ state: 'lost' }])
    expect(await host.kill(FULL_ACCESS, key(), record.id)).toEqual({ success: true, warnings: [] })
    expect(fixture.readStore().sessions).toEqual([])
  })

  test('twice at once is one kill, and both succeed', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    const kills = await Promise.all([
      host.kill(FULL_ACCESS, key(), record.id),
      host.kill(FULL_ACCESS, key(), record.id)
    ])
    expect(kills).toEqual([
      { success: true, warnings: [] },
      { success: true, warnings: [] }
    ])
  })

  test('one that does not answer stays in the list', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key())
    fixture.backend.fail('kill', new AppError('TMUX_UNRESPONSIVE', 'tmux did not answer'))
    await expect(host.kill(FULL_ACCESS, key(), record.id)).rejects.toMatchObject({ code: 'TMUX_UNRESPONSIVE' })
    expect((await host.list(FULL_ACCESS, key())).sessions).toHaveLength(1)
    expect(fixture.readStore().sessions).toHaveLength(1)
  })
})
