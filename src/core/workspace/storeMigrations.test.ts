import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrated, STORE_VERSION } from './storeMigrations'
import { FULL_ACCESS, strayRecord, WorkspacesFixture } from './workspacesFixture.testing'

let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(() => fixture.close())

const FIRST_FORMAT = {
  sessions: [strayRecord(0, { colour: 'red' }), strayRecord(1)],
  lastModified: new Date().toISOString(),
  theme: 'dark'
}

test('a file of the first format becomes one of today without loss', () => {
  const added = { backend: 'tmux', cwd: '', program: '' }
  const sessions = FIRST_FORMAT.sessions.map((record) => ({ ...added, ...record }))
  expect(migrated(FIRST_FORMAT)).toEqual({ ...FIRST_FORMAT, version: STORE_VERSION, sessions, ended: [] })
})

test('files of today and of tomorrow, and what is no store, are left as they are', () => {
  for (const raw of [{ version: 1, sessions: [] }, { version: 7, sessions: [{}] }, { version: 0 }, [], null, 'x', 3]) {
    expect(migrated(raw)).toEqual(raw)
  }
})

test('a workspace of the first format is listed, and upgraded by its next change while the old file is kept', async () => {
  fixture.writeStore(FIRST_FORMAT)
  const before = readFileSync(fixture.storePath(), 'utf8')
  const host = fixture.host()
  const key = { project: fixture.project, session: 'default' }
  const { sessions, warnings } = await host.list(FULL_ACCESS, key)
  expect(sessions.map(({ id, name, order }) => [id, name, order])).toEqual(
    FIRST_FORMAT.sessions.map(({ id, name, order }) => [id, name, order])
  )
  expect(warnings).toEqual([])
  expect(readFileSync(fixture.storePath(), 'utf8')).toBe(before)
  await host.rename(FULL_ACCESS, key, strayRecord(1).id, 'renamed')
  expect(fixture.readStore()).toMatchObject({
    version: 1,
    theme: 'dark',
    ended: [],
    sessions: [
      { ...strayRecord(0), colour: 'red', backend: 'tmux' },
      { ...strayRecord(1), name: 'renamed' }
    ]
  })
  expect(readFileSync(`${fixture.storePath()}.bak`, 'utf8')).toBe(before)
})
