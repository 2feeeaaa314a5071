import { afterEach, beforeEach, expect, test } from 'vitest'
import { Audit } from '../core/data/audit'
import type { Workspaces } from '../core/workspace/workspaces'
import { FULL_ACCESS, WorkspacesFixture } from '../core/workspace/workspacesFixture.testing'
import { historyOf } from './history'

let fixture: WorkspacesFixture
let workspaces: Workspaces
const audit = new Audit()

beforeEach(() => {
  fixture = new WorkspacesFixture()
  workspaces = fixture.host()
})

afterEach(() => fixture.close())

test('commands and deeds are one list, newest first; keys typed one after another are one line', async () => {
  const place = { project: fixture.project, session: 'default' }
  const { record } = await workspaces.create(FULL_ACCESS, place)
  const terminal = { id: record.id, name: record.name }
  const agent = { token: 'owner', client: 'tester' }
  audit.record({ actor: { token: 'owner', client: 'browser' }, action: 'attach', terminal, ...place, outcome: 'OK' })
  audit.record({ actor: agent, action: 'terminal__send', terminal, ...place, outcome: 'OK' })
  audit.record({ actor: agent, action: 'terminal__send', terminal, ...place, outcome: 'OK' })
  audit.record({ actor: { token: 'owner', client: 'browser' }, action: 'take', terminal, ...place, outcome: 'OK' })
  await expect.poll(() => new Date().toISOString()).not.toBe(audit.list(FULL_ACCESS, 1)[0]?.time)
  const { commands } = workspaces.terminal(FULL_ACCESS, record.id)
  commands.start({ actor: null, command: 'false', cwd: null, from: 0 })
  commands.end({ exitCode: 1, to: 0, wasSeen: true })

  const entries = historyOf({ workspaces, audit, access: FULL_ACCESS })
  expect(entries.map(({ deed }) => (deed.kind === 'command' ? deed.exitCode : [deed.action, deed.times]))).toEqual([
    1,
    ['take', 1],
    ['terminal__send', 2]
  ])
  expect(entries.map(({ actor }) => actor?.kind)).toEqual([undefined, 'person', 'agent'])
  expect(entries.every((entry) => entry.terminal?.id === record.id && entry.workspace?.session === 'default')).toBe(
    true
  )
  expect(historyOf({ workspaces, audit, access: { ...FULL_ACCESS, projects: ['/elsewhere'] } })).toEqual([])
})

test('typing that ran a command is told by the command alone', async () => {
  const place = { project: fixture.project, session: 'default' }
  const { record } = await workspaces.create(FULL_ACCESS, place)
  const trail = new Audit()
  const { commands } = workspaces.terminal(FULL_ACCESS, record.id)
  commands.start({ actor: { kind: 'agent', name: 'tester', key: 'k' }, command: 'make', cwd: null, from: 0 })
  const deed = { terminal: { id: record.id, name: record.name }, ...place, outcome: 'OK' }
  trail.record({ actor: { token: 'owner', client: 'tester' }, action: 'terminal__send', ...deed })
  const entries = historyOf({ workspaces, audit: trail, access: FULL_ACCESS })
  expect(entries.map(({ deed: { kind } }) => kind)).toEqual(['command'])
})
