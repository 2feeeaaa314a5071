import { copyFileSync, readFileSync, rmSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(() => fixture.close())

const key = () => ({ project: fixture.project, session: 'default' })

async function withTerminals(names: string[], host = fixture.host()) {
  const ids: string[] = []
  for (const name of names) ids.push((await host.create(FULL_ACCESS, { ...key(), name })).record.id)
  return { host, ids }
}

test('the generation before is what the store was before its last change', async () => {
  const { host, ids } = await withTerminals(['one'])
  const before = readFileSync(fixture.storePath(), 'utf8')
  await host.rename(FULL_ACCESS, key(), ids[0] ?? '', 'two')
  expect(readFileSync(`${fixture.storePath()}.bak`, 'utf8')).toBe(before)
})

test('a store that is gone comes back from the generation before and from what lives, and that is said', async () => {
  const { host, ids } = await withTerminals(['one', 'two', 'three'])
  await host.kill(FULL_ACCESS, key(), ids[0] ?? '')
  fixture.writeStore({ ...fixture.readStore(), theme: 'dark' })
  copyFileSync(fixture.storePath(), `${fixture.storePath()}.bak`)
  await host.create(FULL_ACCESS, { ...key(), name: 'four' })
  unlinkSync(fixture.storePath())
  const { sessions, warnings } = await host.list(FULL_ACCESS, key())
  expect(sessions.map(({ name, state }) => [name, state])).toEqual(
    ['two', 'three', 'four'].map((name) => [name, 'running'])
  )
  expect(warnings).toMatchObject([{ code: 'STORE_CORRUPT', message: expect.stringContaining('was missing') }])
  expect(fixture.readStore()).toMatchObject({ theme: 'dark', ended: [{ id: ids[0] }] })
  expect((await host.list(FULL_ACCESS, key())).warnings).toEqual([])
})

test('a store of which one letter changed is damaged: what was saved before it is used, and the file kept aside', async () => {
  const { host, ids } = await withTerminals(['one', 'two'])
  await host.kill(FULL_ACCESS, key(), ids[0] ?? '')
  await host.rename(FULL_ACCESS, key(), ids[1] ?? '', 'three')
  fixture.writeStore(readFileSync(fixture.storePath(), 'utf8').replace('"name": "one"', '"name": "ine"'))
  const { sessions, warnings } = await host.list(FULL_ACCESS, key())
  expect(sessions.map(({ name }) => name)).toEqual(['three'])
  expect(warnings).toMatchObject([{ code: 'STORE_CORRUPT', message: expect.stringContaining('not what was written') }])
  expect(fixture.readStore().ended.map(({ name }) => name)).toEqual(['one'])
  expect(fixture.filesBeside().filter((name) => name.includes('.corrupt-'))).toHaveLength(1)
})

test('of a damaged store without a generation before it, what still reads is used', async () => {
  const { host, ids } = await withTerminals(['one', 'two'])
  await host.kill(FULL_ACCESS, key(), ids[0] ?? '')
  rmSync(`${fixture.storePath()}.bak`)
  fixture.writeStore(readFileSync(fixture.storePath(), 'utf8').replace('"name": "one"', '"name": "ine"'))
  expect((await host.list(FULL_ACCESS, key())).sessions.map(({ name }) => name)).toEqual(['two'])
  expect(fixture.readStore().ended.map(({ id }) => id)).toEqual([ids[0]])
})

test('with orphans set to kill, what only the generation before knows is not killed', async () => {
  const { ids } = await withTerminals(['one', 'two'])
  fixture.backend.crash()
  copyFileSync(fixture.storePath(), `${fixture.storePath()}.bak`)
  rmSync(fixture.storePath())
  fixture.settings.orphans = 'kill'
  const next = fixture.host()
  expect(await next.start()).toEqual({ removed: 0, killed: 0, adopted: 0 })
  expect([...fixture.backend.programs.keys()]).toEqual(ids)
})

test('a list may begin while tmux cannot be asked, unless what lives unseen would be killed for having no record', async () => {
  const doubt = new AppError('TMUX_UNAVAILABLE', 'tmux is missing')
  const { host, ids } = await withTerminals(['one'])
  fixture.backend.crash()
  rmSync(dirname(fixture.storePath()), { recursive: true })
  fixture.backend.fail('list', doubt)
  fixture.settings.orphans = 'kill'
  const next = fixture.host()
  await expect(next.create(FULL_ACCESS, key())).rejects.toBe(doubt)
  fixture.settings.orphans = 'adopt'
  await next.create(FULL_ACCESS, { ...key(), name: 'two' })
  fixture.backend.fail('list', undefined)
  const { sessions } = await next.list(FULL_ACCESS, key())
  expect(sessions.map(({ name, state }) => [name, state])).toEqual([
    ['one', 'running'],
    ['two', 'running']
  ])
  expect(fixture.backend.programs.has(ids[0] ?? '')).toBe(true)
  await host.stop()
})
