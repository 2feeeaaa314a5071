import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MAX_STORE_BYTES } from './storeState'
import type { Workspaces } from './workspaces'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(() => fixture.close())

const key = () => ({ project: fixture.project, session: 'default' })

/** The host ends and another begins; programs live on. */
async function nextHost(): Promise<Workspaces> {
  fixture.backend.crash()
  const host = fixture.host()
  await host.start()
  return host
}

/** The tmux server goes down with everything in it, and the host too. */
function hostAfterLoss(): Promise<Workspaces> {
  fixture.backend.programs.clear()
  return nextHost()
}

async function offers(host: Workspaces) {
  const { ended } = await host.ended(FULL_ACCESS, key())
  return ended.map(({ id, reason, offered }) => [id, reason, offered])
}

describe('a terminal that was closed and started again', () => {
  async function startedAgain() {
    const host = fixture.host()
    const { id } = (await host.create(FULL_ACCESS, key())).record
    await host.kill(FULL_ACCESS, key(), id)
    await host.restart(FULL_ACCESS, key(), id)
    return { host, id }
  }

  test('is written without its earlier end, and offered by every later host once it is lost', async () => {
    const { id } = await startedAgain()
    expect(fixture.readStore().sessions[0]).not.toHaveProperty('reason')
    expect(fixture.readStore().sessions[0]).not.toHaveProperty('endedAt')
    await nextHost()
    expect(await offers(await hostAfterLoss())).toEqual([[id, 'vanished', true]])
    expect(await offers(await nextHost())).toEqual([[id, 'vanished', true]])
  })

  test('is offered too where an earlier version left its first end in the record', async () => {
    const { id } = await startedAgain()
    const store = fixture.readStore()
    const sessions = store.sessions.map((one) => ({ ...one, endedAt: '2026-01-01T00:00:00.000Z', reason: 'closed' }))
    fixture.writeStore({ ...store, sessions })
    await hostAfterLoss()
    expect(fixture.readStore().ended).toMatchObject([{ id, reason: 'vanished' }])
    expect(fixture.readStore().ended[0]?.endedAt).not.toBe('2026-01-01T00:00:00.000Z')
    expect(await offers(await nextHost())).toEqual([[id, 'vanished', true]])
  })
})

test('what was lost, started again and then forgotten is offered by no later host', async () => {
  const { id } = (await fixture.host().create(FULL_ACCESS, key())).record
  const host = await hostAfterLoss()
  await host.restart(FULL_ACCESS, key(), id)
  await nextHost()
  const later = await hostAfterLoss()
  expect(await offers(later)).toEqual([[id, 'vanished', true]])
  await later.forgetEnded(FULL_ACCESS, key(), [id])
  expect(await offers(await nextHost())).toEqual([[id, 'closed', false]])
})

test('what was lost, started again and then closed is offered by no later host', async () => {
  const { id } = (await fixture.host().create(FULL_ACCESS, key())).record
  await (await hostAfterLoss()).restart(FULL_ACCESS, key(), id)
  await (await nextHost()).kill(FULL_ACCESS, key(), id)
  expect(await offers(await nextHost())).toEqual([[id, 'closed', false]])
})

test('an exited one is not touched when the store could not take its restart', async () => {
  const host = fixture.host()
  const { id } = (await host.create(FULL_ACCESS, key())).record
  const store = fixture.readStore()
  const room = MAX_STORE_BYTES - JSON.stringify({ ...store, padding: '' }, null, 2).length - 2
  fixture.writeStore(`${JSON.stringify({ ...store, padding: 'x'.repeat(room) }, null, 2)}\n`)
  fixture.backend.program(id).finish(3)
  await expect(host.restart(FULL_ACCESS, key(), id)).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
  expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ id, state: 'exited', exitCode: 3 }])
  expect(fixture.backend.program(id).killed).toBeUndefined()
})

describe('an ephemeral terminal that a person starts again', () => {
  const openedBy = { toolset: 'exec', ephemeralOf: 'bridge' } as const
  const open = (host = fixture.host()) => host.createAnywhere(FULL_ACCESS, { ...key(), openedBy })

  test.each(['exited', 'closed'])(
    'when it is %s belongs to no bridge any more, at this host and the next',
    async (how) => {
      const host = fixture.host()
      const { record } = await open(host)
      if (how === 'exited') fixture.backend.program().finish(0)
      else await host.kill(FULL_ACCESS, key(), record.id)
      await host.restart(FULL_ACCESS, key(), record.id)
      expect(host.ephemeralBridges()).toEqual([])
      expect(host.endEphemeral('bridge')).toBe(0)
      const next = await nextHost()
      expect(next.ephemeralBridges()).toEqual([])
      expect(next.endEphemeral('bridge')).toBe(0)
      expect(fixture.backend.program(record.id).killed).toBeUndefined()
    }
  )

  test('when it was lost belongs to none either, and one that nobody started again still does', async () => {
    const { id } = (await open()).record
    const host = await hostAfterLoss()
    await host.restart(FULL_ACCESS, key(), id)
    await open(host)
    expect((await nextHost()).endEphemeral('bridge')).toBe(1)
    expect(fixture.backend.program(id).killed).toBeUndefined()
  })
})

describe('the places of what was lost', () => {
  async function lose(count: number) {
    const host = fixture.host()
    const ids: string[] = []
    for (let index = 0; index < count; index += 1) ids.push((await host.create(FULL_ACCESS, key())).record.id)
    return { host: await hostAfterLoss(), ids }
  }

  async function listed(host: Workspaces) {
    return (await host.list(FULL_ACCESS, key())).sessions.map(({ id }) => id)
  }

  test.each(['3102', '3210', '2031'])('are found again also when it is started in the order %s', async (digits) => {
    const { ids } = await lose(4)
    const order = [...digits].map(Number)
    for (const [count, index] of order.entries()) {
      // Each by another host: the places are kept on the disk.
      const host = await nextHost()
      await host.restart(FULL_ACCESS, key(), ids[index] ?? '')
      const started = order.slice(0, count + 1).sort()
      expect(await listed(host)).toEqual(started.map((one) => ids[one]))
    }
  })

  test('move nothing that was opened or closed since, and give way to an order that somebody gave', async () => {
    const { host, ids } = await lose(4)
    const [a = '', b = '', c = '', d = ''] = ids
    for (const id of [d, a]) await host.restart(FULL_ACCESS, key(), id)
    const fresh = (await host.create(FULL_ACCESS, key())).record.id
    const last = (await host.create(FULL_ACCESS, key())).record.id
    await host.kill(FULL_ACCESS, key(), a)
    await host.restart(FULL_ACCESS, key(), a)
    await host.kill(FULL_ACCESS, key(), fresh)
    await host.restart(FULL_ACCESS, key(), fresh)
    expect(await listed(host)).toEqual([a, d, fresh, last])
    await host.reorder(FULL_ACCESS, key(), [d, last, fresh, a])
    await host.restart(FULL_ACCESS, key(), c)
    expect(await listed(host)).toEqual([d, last, c, fresh, a])
    await host.restart(FULL_ACCESS, key(), b)
    expect(await listed(host)).toEqual([d, b, last, c, fresh, a])
  })
})
