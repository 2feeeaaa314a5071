import { chmodSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { HOSTILE_STORES } from './hostileStores.testing'
import { MAX_STORE_BYTES } from './storeState'
import { FULL_ACCESS, OWNER, strayRecord, WorkspacesFixture } from './workspacesFixture.testing'

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

describe('a store that is broken', () => {
  test('is kept aside, and the list rebuilt from the generation before and the newer names of the stamps', async () => {
    const { host, records } = await withTerminals(2)
    const store = fixture.readStore()
    fixture.writeStore({ ...store, theme: 'dark' })
    await host.rename(FULL_ACCESS, key(), records[0]?.id ?? '', 'one')
    await host.rename(FULL_ACCESS, key(), records[0]?.id ?? '', 'two')
    fixture.writeStore('{"version":1,"sess')
    const { sessions, warnings } = await host.list(FULL_ACCESS, key())
    expect(sessions.map(({ name }) => name)).toEqual(['two', 'Terminal 2'])
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

// root may write everywhere
test.skipIf(process.getuid?.() === 0)('a store without permission to write is a clear error', async () => {
  const { host } = await withTerminals(1)
  chmodSync(dirname(fixture.storePath()), 0o500)
  await expect(host.create(FULL_ACCESS, key())).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
  chmodSync(dirname(fixture.storePath()), 0o700)
})
