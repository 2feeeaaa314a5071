import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TerminalActivity } from '../../shared/activity'
import type { Workspaces } from './workspaces'
import { FULL_ACCESS, WorkspacesFixture } from './workspacesFixture.testing'

let fixture: WorkspacesFixture
let host: Workspaces

beforeEach(() => {
  fixture = new WorkspacesFixture()
  host = fixture.host()
})

afterEach(() => fixture.close())

test('what terminals print and ring is told in gathered lists; a bell that ends a title is none', async () => {
  const { record } = await host.create(FULL_ACCESS, { project: fixture.project, session: 'default' })
  const told: TerminalActivity[][] = []
  host.activity.onChange((changes) => told.push(changes))
  const program = fixture.backend.program(record.id)
  program.emit('\x1b]0;a title\x07')
  program.emit('ding\x07 dong\x07')
  program.emit('more')
  await expect.poll(() => told).toHaveLength(1)
  expect(told[0]).toEqual([
    {
      id: record.id,
      isWorking: false,
      needsPerson: false,
      lastExitCode: null,
      lastDurationMs: null,
      cwd: null,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      endedAt: null,
      printed: 27,
      bells: 2,
      holder: null,
      isTaken: false,
      agent: null,
      watchers: [],
      agentState: null
    }
  ])
  expect(host.activity.all()).toEqual(told[0])
})

test('who has the keyboard is told, and which agent typed last', async () => {
  const { record } = await host.create(FULL_ACCESS, { project: fixture.project, session: 'default' })
  const { control } = host.terminal(FULL_ACCESS, record.id)
  const agent = { kind: 'agent', name: 'tester', key: 'k' } as const
  const person = { kind: 'person', name: 'owner' } as const
  await control.write(agent, async () => undefined)
  expect(host.activity.all()).toMatchObject([{ holder: agent, isTaken: false, agent }])
  control.take(person)
  expect(host.activity.all()).toMatchObject([{ holder: person, isTaken: true, agent }])
})

test('agents that read are told when they come, not each time they read; one that types is no watcher', async () => {
  const { record } = await host.create(FULL_ACCESS, { project: fixture.project, session: 'default' })
  const agent = { kind: 'agent', name: 'tester', key: 'k' } as const
  const told: TerminalActivity[][] = []
  host.activity.onChange((changes) => told.push(changes))
  for (let read = 0; read < 100; read++) host.activity.look(record.id, agent)()
  await expect.poll(() => told).toMatchObject([[{ watchers: [agent], holder: null }]])
  host.activity.look(record.id, agent)()
  await host.terminal(FULL_ACCESS, record.id).control.write(agent, async () => undefined)
  await expect.poll(() => told).toMatchObject([[{ watchers: [agent] }], [{ watchers: [], holder: agent }]])
  // Of a terminal that nobody knows nothing is kept.
  host.activity.look('00000000-0000-4000-8000-000000000000', agent)()
  expect(host.activity.all()).toHaveLength(1)
})

test('when a program ends its time is told', async () => {
  const { record } = await host.create(FULL_ACCESS, { project: fixture.project, session: 'default' })
  fixture.backend.program(record.id).finish(1)
  await expect.poll(() => host.activity.all()).toMatchObject([{ endedAt: expect.stringMatching(/^\d{4}-.*Z$/) }])
})

test('a terminal that is closed is followed no longer', async () => {
  const key = { project: fixture.project, session: 'default' }
  const { record } = await host.create(FULL_ACCESS, key)
  await host.kill(FULL_ACCESS, key, record.id)
  expect(host.activity.all()).toEqual([])
})

test('an agent that runs there is part of what goes on, and of what is most urgent in its workspace', async () => {
  const key = { project: fixture.project, session: 'default' }
  const { record } = await host.create(FULL_ACCESS, key)
  const { shell } = host.terminal(FULL_ACCESS, record.id)
  const urgent = async () => (await host.summaries(FULL_ACCESS))[0]?.urgent
  shell.set({ state: 'running' })
  expect(await urgent()).toBe('working')
  shell.agent.report({ agent: 'Claude Code', state: 'idle' })
  expect([await urgent(), host.activity.all()[0]?.isWorking]).toEqual([undefined, false])
  shell.agent.report({ agent: 'Claude Code', state: 'needs-you', message: 'May I?' })
  expect(await urgent()).toBe('needs-you')
  expect(host.activity.all()).toMatchObject([{ needsPerson: false, agentState: { message: 'May I?' } }])
  shell.set({ state: 'prompt' })
  expect(host.activity.all()).toMatchObject([{ agentState: null }])
  expect(await urgent()).toBeUndefined()
})
