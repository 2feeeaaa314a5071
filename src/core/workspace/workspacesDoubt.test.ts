import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../shared/errors'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

const DOUBT = new AppError('TMUX_UNRESPONSIVE', 'tmux did not answer')
let fixture: WorkspacesFixture

beforeEach(() => {
  fixture = new WorkspacesFixture()
})

afterEach(() => fixture.close())

const key = () => ({ project: fixture.project, session: 'default' })

/** A host that starts while tmux does not answer, after another one that made a terminal. */
async function hostInDoubt(lookAgainMs?: number) {
  const { record } = await fixture.host().create(FULL_ACCESS, key())
  fixture.backend.crash()
  fixture.backend.fail('list', DOUBT)
  const host = fixture.host(lookAgainMs === undefined ? {} : { lookAgainMs })
  await host.start()
  return { host, record }
}

test('a terminal that is listed as unknown or lost is there for every handle: SESSION_ERROR, and not found for others', async () => {
  const { host, record } = await hostInDoubt()
  expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ state: 'unknown' }])
  for (const handle of [record.id, `sess_${record.id.slice(0, 8)}`, record.tmuxSession]) {
    expect(() => host.terminal(FULL_ACCESS, handle)).toThrow(expect.objectContaining({ code: 'SESSION_ERROR' }))
  }
  expect(() => host.terminal(FULL_ACCESS, 'nobody')).toThrow(expect.objectContaining({ code: 'SESSION_NOT_FOUND' }))
  const foreign = { ...FULL_ACCESS, name: 'limited', projects: [fixture.makeProject('other')] }
  const notFound = expect.objectContaining({ code: 'SESSION_NOT_FOUND' })
  expect(() => host.terminal(foreign, record.id)).toThrow(notFound)
})

test('a host that started in doubt looks again by itself, and tells when it knows', async () => {
  const { host, record } = await hostInDoubt(5)
  const changes: string[] = []
  host.onChange(({ session }) => changes.push(session))
  expect((await host.summaries(FULL_ACCESS))[0]).toMatchObject({ terminals: 1, running: 0 })
  fixture.backend.fail('list', undefined)
  await expect.poll(() => changes).toContain('default')
  expect(host.terminal(FULL_ACCESS, record.id).state).toBe('running')
})

test('what turns out to be over is told as well, and after an answer nothing is asked any more', async () => {
  const { host, record } = await hostInDoubt(5)
  const changes: string[] = []
  host.onChange(({ session }) => changes.push(session))
  fixture.backend.programs.clear()
  fixture.backend.fail('list', undefined)
  await expect.poll(() => changes).toContain('default')
  expect(fixture.readStore().ended).toMatchObject([{ id: record.id, reason: 'vanished' }])
  const list = fixture.backend.list.bind(fixture.backend)
  let asked = 0
  fixture.backend.list = () => {
    asked += 1
    return list()
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(asked).toBe(0)
})

test('a terminal whose stamp cannot be read stays listed as unknown, is not started a second time, and comes back', async () => {
  const { record } = await fixture.host().create(FULL_ACCESS, key())
  const program = fixture.backend.program(record.id)
  fixture.backend.crash()
  fixture.backend.damaged.add(program)
  const host = fixture.host()
  expect(await host.start()).toEqual({ removed: 0, killed: 0, adopted: 0 })
  expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ id: record.id, state: 'unknown' }])
  expect((await host.ended(FULL_ACCESS, key())).ended).toEqual([])
  await expect(host.restart(FULL_ACCESS, key(), record.id)).rejects.toMatchObject({ code: 'SESSION_ERROR' })
  await expect(host.kill(FULL_ACCESS, key(), record.id)).rejects.toMatchObject({ code: 'SESSION_ERROR' })
  expect(fixture.readStore().sessions).toMatchObject([{ id: record.id }])
  fixture.backend.damaged.clear()
  expect((await host.list(FULL_ACCESS, key())).sessions).toMatchObject([{ id: record.id, state: 'running' }])
})

test('a host that stops asks no more', async () => {
  const { host } = await hostInDoubt(5)
  await host.stop()
  let asked = 0
  fixture.backend.list = async () => {
    asked += 1
    return []
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(asked).toBe(0)
})
