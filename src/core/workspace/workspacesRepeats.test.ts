import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../shared/errors'
import type { Workspaces } from './workspaces'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(async () => {
  vi.useRealTimers()
  await fixture.close()
})

function asked(more: { caller?: string; name?: string; session?: string } = {}) {
  const { caller = 'agent', name, session = 'default' } = more
  return { project: fixture.project, session, name, idempotency: { caller, key: 'k' } }
}

async function nextHost(): Promise<Workspaces> {
  fixture.backend.crash()
  const host = fixture.host()
  await host.start()
  return host
}

test('a create that is repeated at the next host is answered with the terminal that is there', async () => {
  const { record } = await fixture.host().create(FULL_ACCESS, asked())
  const host = await nextHost()
  const repeated = await host.create(FULL_ACCESS, asked())
  expect(repeated.record).toMatchObject({ id: record.id, tmuxSession: record.tmuxSession, state: 'running' })
  expect((await host.create(FULL_ACCESS, asked())).record.id).toBe(record.id)
  expect(fixture.backend.programs.size).toBe(1)
})

test('it is found after a rename, a restamp, and two hosts in a row', async () => {
  const first = fixture.host()
  const { record } = await first.create(FULL_ACCESS, asked())
  await first.rename(FULL_ACCESS, asked(), record.id, 'renamed')
  await nextHost()
  const host = await nextHost()
  expect((await host.create(FULL_ACCESS, asked())).record).toMatchObject({ id: record.id, name: 'renamed' })
})

test('it takes no room: a repeat is answered where no other terminal may be made', async () => {
  const { record } = await fixture.host().create(FULL_ACCESS, asked())
  fixture.settings = { ...fixture.settings, max_terminals: 1 }
  const host = await nextHost()
  expect((await host.create(FULL_ACCESS, asked())).record.id).toBe(record.id)
  await expect(host.create(FULL_ACCESS, asked({ caller: 'other' }))).rejects.toMatchObject({ code: 'MAX_SESSIONS' })
})

test('another caller with the same key, and the same caller ten minutes later, get a terminal of their own', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await fixture.host().create(FULL_ACCESS, asked())
  const host = await nextHost()
  await host.create(FULL_ACCESS, asked({ caller: 'other' }))
  expect(fixture.backend.programs.size).toBe(2)
  vi.setSystemTime(Date.now() + 10 * 60_000 + 1)
  await host.create(FULL_ACCESS, asked())
  expect(fixture.backend.programs.size).toBe(3)
})

test('the same key for another request is refused by the next host too', async () => {
  await fixture.host().create(FULL_ACCESS, asked())
  const host = await nextHost()
  const failure = { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('used for another request') }
  await expect(host.create(FULL_ACCESS, asked({ name: 'other' }))).rejects.toMatchObject(failure)
})

test('one that was closed meanwhile is not brought back by a repeat', async () => {
  const first = fixture.host()
  const { record } = await first.create(FULL_ACCESS, asked())
  await first.kill(FULL_ACCESS, asked(), record.id)
  const host = await nextHost()
  const again = await host.create(FULL_ACCESS, asked())
  expect([again.record.id === record.id, fixture.backend.programs.size]).toEqual([false, 1])
})

test('what tmux did after it was given up is found by a repeat at the same host', async () => {
  const host = fixture.host()
  const create = fixture.backend.create.bind(fixture.backend)
  fixture.backend.create = async (spec, listener) => {
    await create(spec, listener)
    throw new AppError('TMUX_UNRESPONSIVE', 'tmux did not answer')
  }
  await expect(host.create(FULL_ACCESS, asked())).rejects.toMatchObject({ code: 'TMUX_UNRESPONSIVE' })
  fixture.backend.create = create
  const { id } = fixture.backend.program().stamp
  expect((await host.create(FULL_ACCESS, asked())).record.id).toBe(id)
  expect(fixture.backend.programs.size).toBe(1)
})

test('neither the key nor what was asked can be read from what is kept', async () => {
  const request = {
    ...asked(),
    env: { PASSWORD: 'hunter2-hunter2' },
    idempotency: { caller: 'agent', key: 'key-4711' }
  }
  await fixture.host().create(FULL_ACCESS, request)
  const kept = JSON.stringify([fixture.backend.program().stamp, fixture.readStore()])
  expect(kept).not.toMatch(/hunter2|key-4711/)
})
