import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeBackend } from '../backends/fakeBackend'
import { silentLog } from '../log'
import { Terminals } from '../terminal/terminals'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(() => fixture.close())

const key = () => ({ project: fixture.project, session: 'default' })

async function withTerminals(...names: string[]) {
  const host = fixture.host()
  for (const name of names) await host.create(FULL_ACCESS, { ...key(), name })
  return host
}

async function listed(host: ReturnType<WorkspacesFixture['host']>) {
  const { sessions } = await host.list(FULL_ACCESS, key())
  return sessions.map(({ name, state }) => [name, state])
}

/** What other programs do to a store while a host uses it. */
const harms: [string, () => void][] = [
  ['its directory is removed', () => rmSync(join(fixture.project, '.collab'), { recursive: true })],
  ['the list in it is emptied', () => fixture.writeStore({ ...fixture.readStore(), sessions: [] })],
  ['it is replaced by an older one', () => fixture.writeStore({ ...fixture.readStore(), sessions: [first()] })]
]
const first = () => fixture.readStore().sessions[0]

const running = [
  ['one', 'running'],
  ['two', 'running'],
  ['three', 'running']
]

describe('with orphans set to kill', () => {
  beforeEach(() => {
    fixture.settings.orphans = 'kill'
  })

  test.each(harms)('a running host ends nothing it recorded itself when %s', async (_, harm) => {
    const host = await withTerminals('one', 'two', 'three')
    harm()
    expect(await listed(host)).toEqual(running)
    expect(await host.reconcileAll(FULL_ACCESS)).toEqual({ removed: 0, killed: 0, adopted: 0 })
    expect(fixture.readStore().sessions).toHaveLength(3)
  })

  test.each(harms)('nor what it took up, when %s and everything is looked at', async (_, harm) => {
    await withTerminals('one', 'two', 'three')
    fixture.backend.crash()
    const next = fixture.host()
    await next.start()
    harm()
    expect(await next.reconcileAll(FULL_ACCESS)).toMatchObject({ killed: 0 })
    expect(await listed(next)).toEqual(running)
  })

  test('a host that starts ends nothing for a store that is missing, and what has no record in one that is there', async () => {
    await withTerminals('one', 'two')
    fixture.backend.crash()
    const store = fixture.readStore()
    rmSync(join(fixture.project, '.collab'), { recursive: true })
    const next = fixture.host()
    expect(await next.start()).toEqual({ removed: 0, killed: 0, adopted: 2 })
    fixture.backend.crash()
    fixture.writeStore({ ...store, sessions: store.sessions.slice(1) })
    expect(await fixture.host().start()).toEqual({ removed: 0, killed: 1, adopted: 0 })
  })

  test('what was closed is not brought back by a store of before', async () => {
    const host = await withTerminals('one', 'two')
    const store = fixture.readStore()
    await host.kill(FULL_ACCESS, key(), store.sessions[0]?.id ?? '')
    rmSync(join(fixture.project, '.collab'), { recursive: true })
    expect(await listed(host)).toEqual([['two', 'running']])
  })
})

test('terminals that run in the host itself are listed again when the list is emptied by somebody else', async () => {
  const settings = () => fixture.settings
  const own = new FakeBackend('pty')
  const terminals = new Terminals({
    backend: fixture.backend,
    backendForNew: async () => own,
    settings,
    log: silentLog
  })
  const host = fixture.host({ terminals })
  for (const name of ['one', 'two', 'three']) await host.create(FULL_ACCESS, { ...key(), name })
  fixture.writeStore({ ...fixture.readStore(), sessions: [] })
  expect(await listed(host)).toEqual(running)
  expect(fixture.readStore().sessions).toHaveLength(3)
})
