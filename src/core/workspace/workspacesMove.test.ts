import { EventEmitter, once } from 'node:events'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import type { Workspaces } from './workspaces'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

let fixture: WorkspacesFixture
let host: Workspaces

beforeEach(() => {
  fixture = new WorkspacesFixture()
  host = fixture.host()
})

const opens: (() => void)[] = []
afterEach(async () => {
  for (const open of opens.splice(0)) open()
  await fixture.close()
})

const key = (session = 'default') => ({ project: fixture.project, session })
const names = async (workspaces = host, session = 'default') =>
  (await workspaces.list(FULL_ACCESS, key(session))).sessions.map(({ name }) => name)
const written = (session: string) => fixture.readStore(session).sessions.map(({ name }) => name)
const move = (id: string) => host.mover.move(FULL_ACCESS, key(), { id, session: 'other' })

const isAlive = (id: string) => fixture.backend.programs.has(id)

async function make(...wanted: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of wanted) ids.push((await host.create(FULL_ACCESS, { ...key(), name })).record.id)
  return ids
}

/** A host after the first was killed: it lets go of nothing and writes nothing. */
function restarted(): Workspaces {
  fixture.backend.crash()
  return fixture.host()
}

/** Something that waits until it is opened, at the latest when the test is over. */
function gate() {
  const events = new EventEmitter()
  const until = once(events, 'open').then(() => undefined)
  const open = () => void events.emit('open')
  opens.push(open)
  return { until, open }
}

/** The move's change of the stamp stops before or after it is made. */
function holdStamp(id: string, when: 'before' | 'after') {
  const program = fixture.backend.program(id)
  const restamp = program.restamp.bind(program)
  const reached = gate()
  const held = gate()
  program.restamp = async (stamp) => {
    program.restamp = restamp
    if (when === 'after') await restamp(stamp)
    reached.open()
    await held.until
    if (when === 'before') await restamp(stamp)
  }
  return { reached: reached.until, open: held.open }
}

describe('moving to another session', () => {
  test('the program goes on there, at the end of the list, for this host and the next', async () => {
    const [first = ''] = await make('one', 'two')
    await host.create(FULL_ACCESS, { ...key('other'), name: 'three' })
    expect(await host.mover.move(FULL_ACCESS, key(), { id: first, session: 'other' })).toBe(true)
    expect(await names()).toEqual(['two'])
    expect(await names(host, 'other')).toEqual(['three', 'one'])
    expect(isAlive(first)).toBe(true)
    expect(host.placeOf(first)).toMatchObject({ session: 'other', name: 'one' })
    const next = restarted()
    await next.start()
    expect(await names(next)).toEqual(['two'])
    expect(await names(next, 'other')).toEqual(['three', 'one'])
    expect((await next.ended(FULL_ACCESS, key())).ended).toEqual([])
  })

  test('a session that was not there begins with it; two moves against each other both arrive', async () => {
    const [first = '', second = ''] = await make('one', 'two')
    await host.mover.move(FULL_ACCESS, key(), { id: second, session: 'new' })
    expect(await host.summaries(FULL_ACCESS)).toMatchObject([{ session: 'default' }, { session: 'new', terminals: 1 }])
    await Promise.all([
      host.mover.move(FULL_ACCESS, key(), { id: first, session: 'new' }),
      host.mover.move(FULL_ACCESS, key('new'), { id: second, session: 'default' })
    ])
    expect(await names()).toEqual(['two'])
    expect(await names(host, 'new')).toEqual(['one'])
  })

  test('one that is not there, or is there already, is not moved', async () => {
    const [first = ''] = await make('one')
    expect(await host.mover.move(FULL_ACCESS, key('empty'), { id: first, session: 'other' })).toBe(false)
    await expect(host.mover.move(FULL_ACCESS, key(), { id: first, session: 'default' })).rejects.toThrow('already')
    expect(await names()).toEqual(['one'])
  })

  test('a stamp that cannot be changed leaves it where it was', async () => {
    const [first = ''] = await make('one')
    fixture.backend.fail('restamp', new AppError('TMUX_UNRESPONSIVE', 'no answer'))
    await expect(host.mover.move(FULL_ACCESS, key(), { id: first, session: 'other' })).rejects.toThrow('no answer')
    expect(await names()).toEqual(['one'])
    expect(await names(host, 'other')).toEqual([])
  })
})

describe.each(['adopt', 'kill'] as const)('with orphans: %s', (orphans) => {
  beforeEach(() => {
    fixture.settings.orphans = orphans
  })

  test('a look at everything in the middle of a move undoes nothing', async () => {
    const [first = ''] = await make('one', 'two')
    const stamp = holdStamp(first, 'before')
    const moving = move(first)
    await stamp.reached
    const looking = host.reconcileAll(FULL_ACCESS)
    await aWhile()
    stamp.open()
    expect(await moving).toBe(true)
    expect(await looking).toEqual({ removed: 0, killed: 0, adopted: 0 })
    expect([await names(), await names(host, 'other')]).toEqual([['two'], ['one']])
    expect([written('default'), written('other')]).toEqual([['two'], ['one']])
    expect(isAlive(first)).toBe(true)
    expect(host.placeOf(first)).toMatchObject({ session: 'other' })
  })

  test.each([
    ['before', [['one', 'two'], []]],
    ['after', [['two'], ['one']]]
  ] as const)(
    'a host that is killed %s the stamp is changed leaves the terminal in one list, alive',
    async (when, lists) => {
      const [first = ''] = await make('one', 'two')
      const stamp = holdStamp(first, when)
      void move(first)
      await stamp.reached
      const next = restarted()
      expect(await next.start()).toMatchObject({ killed: 0 })
      expect(isAlive(first)).toBe(true)
      expect([await names(next), await names(next, 'other')]).toEqual(lists)
      for (const session of ['default', 'other']) {
        expect((await next.ended(FULL_ACCESS, key(session))).ended).toEqual([])
      }
    }
  )

  test('a terminal that ends while it is asked what lives is not brought back', async () => {
    const [first = ''] = await make('one')
    const ending = gate()
    fixture.backend.delay('kill', ending.until)
    await host.closeByHandle(FULL_ACCESS, first)
    const list = fixture.backend.list.bind(fixture.backend)
    fixture.backend.list = async () => {
      const living = await list()
      await aWhile()
      if (++asked < 2) return living
      ending.open()
      await expect.poll(() => isAlive(first)).toBe(false)
      return living
    }
    let asked = 0
    expect(await host.reconcileAll(FULL_ACCESS)).toEqual({ removed: 0, killed: 0, adopted: 0 })
    expect(await names()).toEqual([])
    expect((await host.ended(FULL_ACCESS, key())).ended).toMatchObject([{ id: first, reason: 'closed' }])
  })

  test('a look at everything behind a close that waits for its turn brings nothing back', async () => {
    const [first = ''] = await make('one')
    const slow = gate()
    const ending = gate()
    fixture.backend.delay('create', slow.until)
    fixture.backend.delay('kill', ending.until)
    const creating = host.create(FULL_ACCESS, { ...key(), name: 'two' })
    const closing = host.closeByHandle(FULL_ACCESS, first)
    await aWhile()
    const looking = host.reconcileAll(FULL_ACCESS)
    await aWhile()
    ending.open()
    await expect.poll(() => isAlive(first)).toBe(false)
    slow.open()
    await Promise.all([creating, closing, looking])
    expect(await names()).toEqual(['two'])
    expect((await host.ended(FULL_ACCESS, key())).ended).toMatchObject([{ id: first, reason: 'closed' }])
  })
})

test('lists that are asked for in the middle of a move show the terminal once', async () => {
  const [first = ''] = await make('one', 'two')
  for (const when of ['before', 'after'] as const) {
    const stamp = holdStamp(first, when)
    const moving = move(first)
    await stamp.reached
    const lists = Promise.all([names(), names(host, 'other')])
    await aWhile()
    stamp.open()
    await moving
    expect(await lists).toEqual([['two'], ['one']])
    await host.mover.move(FULL_ACCESS, key('other'), { id: first, session: 'default' })
  }
})

describe('a move that fails', () => {
  test.each(['default', 'other'])('because %s cannot be written leaves it where it was', async (session) => {
    const [first = ''] = await make('one', 'two')
    await host.create(FULL_ACCESS, { ...key('other'), name: 'three' })
    if (session === 'other') block('other')
    const program = fixture.backend.program(first)
    const restamp = program.restamp.bind(program)
    program.restamp = async (stamp) => {
      await restamp(stamp)
      if (session === 'default' && stamp.session === 'other') block('default')
    }
    await expect(move(first)).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
    unblock(session)
    expect([await names(), await names(host, 'other')]).toEqual([['one', 'two'], ['three']])
    expect([written('default'), written('other')]).toEqual([['one', 'two'], ['three']])
    expect(program.stamp.session).toBe('default')
    expect(host.placeOf(first)).toMatchObject({ session: 'default' })
  })

  test('and cannot be undone on the disk is in one list all the same', async () => {
    const [first = ''] = await make('one')
    await host.create(FULL_ACCESS, { ...key('other'), name: 'three' })
    const program = fixture.backend.program(first)
    program.restamp = async () => {
      block('other')
      throw new AppError('TMUX_UNRESPONSIVE', 'no answer')
    }
    await expect(move(first)).rejects.toThrow('no answer')
    unblock('other')
    expect([await names(), await names(host, 'other')]).toEqual([['one'], ['three']])
    expect((await host.ended(FULL_ACCESS, key('other'))).ended).toEqual([])
  })
})

const aWhile = () => new Promise((resolve) => setTimeout(resolve, 20))

/** Nothing can be put where the store is, until `unblock`. */
function block(session: string): void {
  const path = fixture.storePath(session)
  renameSync(path, `${path}.before`)
  rmSync(`${path}.bak`, { force: true })
  for (const name of [path, `${path}.bak`]) mkdirSync(`${name}/in/the/way`, { recursive: true })
}

function unblock(session: string): void {
  const path = fixture.storePath(session)
  for (const name of [path, `${path}.bak`]) rmSync(name, { recursive: true })
  renameSync(`${path}.before`, path)
}
