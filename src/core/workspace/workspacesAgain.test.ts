import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
