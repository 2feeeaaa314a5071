import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import type { Workspaces } from './workspaces'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

const LONG_MS = 600_000
let fixture: WorkspacesFixture
let host: Workspaces

beforeEach(() => {
  fixture = new WorkspacesFixture()
  host = fixture.host({ closeGraceMs: LONG_MS })
})

afterEach(() => fixture.close())

const key = (session = 'default') => ({ project: fixture.project, session })
const names = async (workspaces = host, session = 'default') =>
  (await workspaces.list(FULL_ACCESS, key(session))).sessions.map(({ name }) => name)

const isAlive = (id: string) => fixture.backend.programs.has(id)

async function make(...wanted: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of wanted) ids.push((await host.create(FULL_ACCESS, { ...key(), name })).record.id)
  return ids
}

describe('closing that can be undone', () => {
  test('a closed terminal is gone for everybody while its program lives, and comes back to its place', async () => {
    const [, second = ''] = await make('one', 'two', 'three')
    const changes: string[] = []
    host.onChange(({ session }) => changes.push(session))
    expect(await host.later.close(FULL_ACCESS, key(), second)).toBe(true)
    expect(await names()).toEqual(['one', 'three'])
    expect((await host.list(FULL_ACCESS, key())).sessions.map(({ order }) => order)).toEqual([0, 1])
    expect((await host.listAll(FULL_ACCESS)).map(({ name }) => name)).toEqual(['one', 'three'])
    expect(await host.summaries(FULL_ACCESS)).toMatchObject([{ terminals: 2 }])
    expect(() => host.terminal(FULL_ACCESS, second)).toThrow(expect.objectContaining({ code: 'SESSION_DESTROYED' }))
    expect(isAlive(second)).toBe(true)
    expect(changes).toContain('default')
    expect(await host.later.undo(FULL_ACCESS, key(), second)).toBe(true)
    expect(await names()).toEqual(['one', 'two', 'three'])
    expect(host.terminal(FULL_ACCESS, second).state).toBe('running')
    expect(await host.later.undo(FULL_ACCESS, key(), second)).toBe(false)
  })

  test('the others can be moved meanwhile, and it still comes back between them', async () => {
    const [first = '', second = '', third = ''] = await make('one', 'two', 'three')
    await host.later.close(FULL_ACCESS, key(), second)
    await host.reorder(FULL_ACCESS, key(), [third, first])
    expect(await names()).toEqual(['three', 'one'])
    await host.later.undo(FULL_ACCESS, key(), second)
    expect(await names()).toEqual(['three', 'two', 'one'])
  })

  test('after a while its program ends, whoever looks', async () => {
    const quick = fixture.host({ closeGraceMs: 1, dataDir: fixture.makeProject('other-data') })
    const { record } = await quick.create(FULL_ACCESS, key('quick'))
    await quick.later.close(FULL_ACCESS, key('quick'), record.id)
    await expect.poll(() => isAlive(record.id)).toBe(false)
    await expect.poll(() => fixture.readStore('quick').sessions).toEqual([])
    expect(fixture.readStore('quick').ended).toMatchObject([{ id: record.id, reason: 'closed' }])
    expect(await quick.later.undo(FULL_ACCESS, key('quick'), record.id)).toBe(false)
  })

  test('ten can be brought back; one more ends the oldest', async () => {
    const ids = await make(...Array.from({ length: 11 }, (_, number) => `t${number}`))
    for (const id of ids) await host.later.close(FULL_ACCESS, key(), id)
    await expect.poll(() => isAlive(ids[0] ?? '')).toBe(false)
    for (const id of ids.slice(1)) expect(await host.later.undo(FULL_ACCESS, key(), id)).toBe(true)
    expect(await names()).toEqual(ids.slice(1).map((_, number) => `t${number + 1}`))
  })

  test('a host that stops ends what was closed, and nothing else', async () => {
    const [first = '', second = ''] = await make('one', 'two')
    await host.later.close(FULL_ACCESS, key(), second)
    await host.stop()
    expect(isAlive(second)).toBe(false)
    expect(isAlive(first)).toBe(true)
  })

  test('the next host ends what a killed one could not, and hides it until then', async () => {
    const [, second = ''] = await make('one', 'two')
    await host.later.close(FULL_ACCESS, key(), second)
    expect(statSync(join(fixture.dataDir, 'closing.json')).mode & 0o777).toBe(0o600)
    const next = restarted()
    await next.start()
    expect(await names(next)).toEqual(['one'])
    expect(isAlive(second)).toBe(true)
    expect(await next.later.undo(FULL_ACCESS, key(), second)).toBe(true)
    expect(await names(next)).toEqual(['one', 'two'])
  })

  test('what was due while no host ran ends at the start', async () => {
    const [, second = ''] = await make('one', 'two')
    const due = [{ id: second, ...key(), dueAt: Date.now() - 1000 }]
    writeFileSync(join(fixture.dataDir, 'closing.json'), JSON.stringify(due))
    const next = restarted()
    await next.start()
    await expect.poll(() => isAlive(second)).toBe(false)
    await expect.poll(() => names(next)).toEqual(['one'])
  })

  test('what could not be ended when its session was removed stays out of sight and is ended by the next host', async () => {
    const [first = ''] = await make('one')
    fixture.backend.fail('kill', new AppError('TMUX_UNRESPONSIVE', 'no answer'))
    expect(await host.remove(FULL_ACCESS, key())).toEqual({ success: true, killed: 1 })
    await expect.poll(() => fixture.logged).toContainEqual(expect.stringContaining('could not be ended'))
    expect(await names()).toEqual([])
    fixture.backend.fail('kill', undefined)
    const next = restarted()
    await next.start()
    await expect.poll(() => isAlive(first)).toBe(false)
    expect(await names(next)).toEqual([])
  })

  test('one that is started again after all is not ended with the close before it', async () => {
    const [first = ''] = await make('one')
    await host.closeByHandle(FULL_ACCESS, first, { wait: true })
    writeFileSync(
      join(fixture.dataDir, 'closing.json'),
      JSON.stringify([{ id: first, ...key(), dueAt: Date.now() + LONG_MS }])
    )
    const next = restarted()
    await next.start()
    await next.restart(FULL_ACCESS, key(), first)
    await next.stop()
    expect(isAlive(first)).toBe(true)
  })

  test('a list that cannot be read closes nothing', async () => {
    await make('one')
    writeFileSync(join(fixture.dataDir, 'closing.json'), '[{"id":')
    const next = restarted()
    await next.start()
    expect(await names(next)).toEqual(['one'])
    expect(fixture.logged).toContainEqual(expect.stringContaining('cannot be read'))
  })
})

/** A host after the first was killed: it lets go of nothing and writes nothing. */
const restarted = () => fixture.host({ closeGraceMs: LONG_MS })
