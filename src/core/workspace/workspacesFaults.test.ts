import { chmodSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { HOSTILE_STORES } from './hostileStores'
import { projectHashOf } from './paths'
import { MAX_STORE_BYTES } from './storeState'
import { FULL_ACCESS, OWNER, strayRecord, WorkspacesFixture } from './workspacesFixture'

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

/** Makes every later write of this workspace fail, whoever runs the test: its store's temporary files have no room. */
function blockWrites(session = 'default'): () => void {
  const store = fixture.storePath(session)
  const content = readFileSync(store)
  const directory = dirname(store)
  rmSync(directory, { recursive: true })
  writeFileSync(directory, '')
  return () => {
    unlinkSync(directory)
    mkdirSync(directory)
    writeFileSync(store, content)
  }
}

/** Leaves room for no more than 100 bytes. */
function fillStore(): void {
  const store = { ...fixture.readStore(), filler: '' }
  const length = Buffer.byteLength(JSON.stringify(store, null, 2))
  fixture.writeStore({ ...store, filler: 'x'.repeat(MAX_STORE_BYTES - length - 100) })
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
  fixture.writeStore({ ...fixture.readStore(), lastModified: OLD })
  expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ id: records[0]?.id, state: 'exited' }])
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

describe('a store that is broken', () => {
  test('is kept aside, and the list rebuilt from the generation before', async () => {
    const { host, records } = await withTerminals(2)
    const store = fixture.readStore()
    fixture.writeStore({ ...store, theme: 'dark' })
    await host.rename(FULL_ACCESS, key(), records[0]?.id ?? '', 'one')
    await host.rename(FULL_ACCESS, key(), records[0]?.id ?? '', 'two')
    fixture.writeStore('{"version":1,"sess')
    const { sessions, warnings } = await host.list(FULL_ACCESS, key())
    expect(sessions.map(({ name }) => name)).toEqual(['one', 'Terminal 2'])
    expect(warnings).toMatchObject([{ code: 'STORE_CORRUPT', message: expect.stringContaining('not JSON') }])
    expect(fixture.readStore()).toMatchObject({ theme: 'dark' })
    const aside = fixture.filesBeside().find((name) => name.startsWith('terminal-sessions.json.corrupt-'))
    expect(readFileSync(join(dirname(fixture.storePath()), aside ?? ''), 'utf8')).toBe('{"version":1,"sess')
    expect((await host.list(FULL_ACCESS, key())).warnings).toEqual([])
  })

  test('is repaired before a change is made, and the change is kept', async () => {
    const { host } = await withTerminals(2)
    fixture.writeStore('broken')
    const { record, warnings } = await host.create(FULL_ACCESS, key())
    expect(record.name).toBe('Terminal 3')
    expect(warnings).toMatchObject([{ code: 'STORE_CORRUPT' }])
    expect(fixture.readStore().sessions).toHaveLength(3)
  })

  test('is not touched while it is not known what lives', async () => {
    const { host } = await withTerminals(1)
    fixture.writeStore('broken')
    fixture.backend.fail('list', DOUBT)
    const { warnings } = await host.list(FULL_ACCESS, key())
    expect(warnings.map(({ code }) => code)).toEqual(['STORE_CORRUPT', 'TMUX_UNRESPONSIVE'])
    expect(readFileSync(fixture.storePath(), 'utf8')).toBe('broken')
    await expect(host.create(FULL_ACCESS, key())).rejects.toMatchObject({ code: 'TMUX_UNRESPONSIVE' })
  })

  test('every hostile file starts nothing, kills nothing, and leaves the workspace usable', async () => {
    const host = fixture.host()
    const { record } = await host.create(FULL_ACCESS, key('bystander'))
    for (const [index, { content, expected }] of HOSTILE_STORES.entries()) {
      const session = `hostile${index}`
      fixture.writeStore(content, session)
      const { warnings } = await host.list(FULL_ACCESS, key(session))
      expect(warnings.some(({ code }) => code === 'STORE_CORRUPT')).toBe(expected === 'corrupt')
      expect(fixture.backend.programs.size).toBe(1)
      if (expected === 'corrupt') expect(fixture.readStore(session).sessions).toEqual([])
    }
    expect(fixture.backend.program(record.id).killed).toBeUndefined()
    expect(await host.summaries(FULL_ACCESS)).toHaveLength(1)
  })

  test('of a newer version is shown and never written', async () => {
    const future = JSON.stringify({ version: 2, sessions: [strayRecord(1)], lastModified: new Date().toISOString() })
    fixture.writeStore(future)
    const host = fixture.host()
    const { sessions, warnings } = await host.list(FULL_ACCESS, key())
    expect(sessions).toMatchObject([{ name: 'Stray 1' }])
    expect(warnings).toMatchObject([{ code: 'STORE_WRITE_FAILED', message: expect.stringContaining('version 2') }])
    await expect(host.create(FULL_ACCESS, key())).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
    await expect(host.rename(FULL_ACCESS, key(), strayRecord(1).id, 'x')).rejects.toMatchObject({
      code: 'STORE_WRITE_FAILED'
    })
    expect(await host.kill(FULL_ACCESS, key(), strayRecord(1).id)).toMatchObject({
      success: true,
      warnings: [{ code: 'STORE_WRITE_FAILED' }]
    })
    expect(fixture.backend.programs.size).toBe(0)
    expect(readFileSync(fixture.storePath(), 'utf8')).toBe(future)
  })
})

test('a store of a newer version is not written by a reconcile either, and what lives is shown', async () => {
  const { records } = await withTerminals(1)
  fixture.backend.crash()
  const future = JSON.stringify({ version: 2, sessions: [strayRecord(1)], lastModified: OLD })
  fixture.writeStore(future)
  const next = fixture.host()
  await next.start()
  const { sessions, warnings } = await next.list(FULL_ACCESS, key())
  expect(sessions).toMatchObject([{ id: records[0]?.id, state: 'running' }])
  expect(warnings[0]).toMatchObject({ code: 'STORE_WRITE_FAILED' })
  expect(readFileSync(fixture.storePath(), 'utf8')).toBe(future)
})

describe('a store that cannot be written', () => {
  test('ends a new terminal again', async () => {
    const { host } = await withTerminals(1)
    const create = fixture.backend.create.bind(fixture.backend)
    fixture.backend.create = async (spec, listener) => {
      const program = await create(spec, listener)
      rmSync(dirname(fixture.storePath()), { recursive: true })
      rmSync(join(fixture.project, '.collab'), { recursive: true })
      writeFileSync(join(fixture.project, '.collab'), '')
      return program
    }
    await expect(host.create(FULL_ACCESS, key())).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
    expect(fixture.backend.programs.size).toBe(1)
  })

  test('leaves names and orders as they were', async () => {
    const { host, records } = await withTerminals(2)
    const [first, second] = records
    fillStore()
    const rename = host.rename(FULL_ACCESS, key(), first?.id ?? '', 'y'.repeat(256))
    await expect(rename).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
    expect(fixture.readStore().sessions.map(({ name }) => name)).toEqual(['Terminal 1', 'Terminal 2'])
    expect(fixture.backend.program(first?.id).stamp.name).toBe('Terminal 1')
    expect((await host.list(FULL_ACCESS, key())).sessions.map(({ id }) => id)).toEqual([first?.id, second?.id])
  })

  test('ends a new terminal again when the file has no room for it', async () => {
    const { host } = await withTerminals(1)
    fillStore()
    await expect(host.create(FULL_ACCESS, { ...key(), name: 'y'.repeat(256) })).rejects.toMatchObject({
      code: 'STORE_WRITE_FAILED'
    })
    expect(fixture.backend.programs.size).toBe(1)
    expect((await host.list(FULL_ACCESS, key())).sessions).toHaveLength(1)
  })

  test('does not stop a kill: it is said, and saved later', async () => {
    const { host, records } = await withTerminals(2, fixture.host({ unsavedRetryMs: 20 }))
    const store = fixture.readStore()
    fixture.writeStore({ ...store, version: 2 })
    const killed = await host.kill(FULL_ACCESS, key(), records[0]?.id ?? '')
    expect(killed).toMatchObject({
      success: true,
      warnings: [{ code: 'STORE_WRITE_FAILED', message: expect.stringContaining('saved later') }]
    })
    expect(fixture.backend.programs.size).toBe(1)
    expect((await host.list(FULL_ACCESS, key())).sessions.map(({ id, order }) => [id, order])).toEqual([
      [records[1]?.id, 0]
    ])
    fixture.writeStore(store)
    await expect.poll(() => fixture.readStore().sessions.length, { timeout: 10_000 }).toBe(1)
    expect(fixture.readStore().ended).toMatchObject([{ id: records[0]?.id }])
  })

  test('is told apart from a session directory that is a file', async () => {
    const { host, records } = await withTerminals(1, fixture.host({ unsavedRetryMs: 20 }))
    const unblock = blockWrites()
    await expect(host.list(FULL_ACCESS, key())).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
    expect(await host.summaries(FULL_ACCESS)).toMatchObject([{ available: false, terminals: 1 }])
    unblock()
    expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ id: records[0]?.id, state: 'running' }])
  })

  test('a list of workspaces that cannot be written is a warning', async () => {
    rmSync(fixture.dataDir, { recursive: true })
    const { warnings } = await fixture.host().create(FULL_ACCESS, key())
    expect(warnings).toMatchObject([{ code: 'STORE_WRITE_FAILED' }])
  })
})

describe('a workspace of another host', () => {
  const other = '22222222-2222-4333-8444-555555555555'

  test('that runs is refused by its owner, and nothing is changed', async () => {
    const { records } = await withTerminals(1)
    const store = { ...fixture.readStore(), owner: other }
    fixture.writeStore(store)
    const server = createServer().listen({ path: `\0tandem-${other}` })
    try {
      const host = fixture.host()
      const refused = { code: 'SESSION_ERROR', message: expect.stringContaining(other) }
      await expect(host.list(FULL_ACCESS, key())).rejects.toMatchObject(refused)
      await expect(host.create(FULL_ACCESS, key())).rejects.toMatchObject(refused)
      await expect(host.kill(FULL_ACCESS, key(), records[0]?.id ?? '')).rejects.toMatchObject(refused)
      expect(fixture.readStore()).toEqual(store)
      expect((await host.create(FULL_ACCESS, key('another'))).record.order).toBe(0)
    } finally {
      server.close()
    }
  })

  test('that is gone is no obstacle', async () => {
    await withTerminals(1)
    fixture.writeStore({ ...fixture.readStore(), owner: other })
    const host = fixture.host()
    await host.create(FULL_ACCESS, key())
    expect(fixture.readStore()).toMatchObject({ owner: OWNER })
  })
})

describe('names that look alike', () => {
  const parts = [
    'a',
    'a-b',
    'a-b-c',
    'A',
    'a.b',
    'a_b',
    'a:b',
    'b:a',
    'x/a',
    'a/b',
    'aaaaaaaaaaaaaaaaaaaa1',
    'aaaaaaaaaaaaaaaaaaaa2',
    'default',
    'mc-a',
    '-',
    '--'
  ]
  const pairs = parts.flatMap((one, index) => parts.slice(index + 1).map((two) => [one, two] as const))

  test('never share a terminal, a record or a kill', async () => {
    expect(pairs.length).toBeGreaterThanOrEqual(100)
    const project = fixture.makeProject('project-a')
    const host = fixture.host()
    const made = new Map<string, string>()
    fixture.settings.max_terminals = 1000
    for (const [where, session] of [fixture.project, project].flatMap((path) =>
      parts.map((part) => [path, part] as const)
    )) {
      made.set(`${where} ${session}`, (await host.create(FULL_ACCESS, { project: where, session })).record.id)
    }
    fixture.backend.crash()
    fixture.settings.orphans = 'kill'
    const next = fixture.host()
    expect(await next.start()).toEqual({ removed: 0, killed: 0, adopted: 0 })
    for (const [one, two] of pairs) {
      const { sessions } = await next.list(FULL_ACCESS, { project: fixture.project, session: one })
      expect(sessions.map(({ id }) => id)).toEqual([made.get(`${fixture.project} ${one}`)])
      const foreign = [made.get(`${fixture.project} ${two}`), made.get(`${project} ${one}`)]
      for (const id of foreign) {
        expect(await next.kill(FULL_ACCESS, { project: fixture.project, session: one }, id ?? '')).toMatchObject({
          success: false
        })
      }
    }
    expect(fixture.backend.programs.size).toBe(parts.length * 2)
  })
})

test('a store without permission to write is a clear error', async () => {
  if (process.getuid?.() === 0) return
  const { host } = await withTerminals(1)
  chmodSync(dirname(fixture.storePath()), 0o500)
  await expect(host.create(FULL_ACCESS, key())).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
  chmodSync(dirname(fixture.storePath()), 0o700)
})
