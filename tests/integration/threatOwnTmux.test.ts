import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { count, LIMIT_MS } from '../harness/counts'
import { connectMcp } from '../harness/mcpClients'
import { Tab } from '../harness/tab'
import { makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import { type OwnTmux, startOwnTmux } from '../harness/threats/ownTmux'
import { TOOL_SAMPLES } from '../harness/toolSamples'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

// The person's own tmux sessions, with names that look like targets or like ours, while everything is done here.

let world: World
let tandem: Tandem
let own: OwnTmux
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld()
  own = startOwnTmux(world)
  // As from a shell in one of those sessions.
  Object.assign(world.environment, own.inside)
  tandem = await Tandem.start(world)
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  own.end()
  await world.remove()
})

type Operation = (handle: string, random: number) => Promise<unknown>

const OPERATIONS: Record<string, Operation> = {
  create: (handle) => work.create(handle),
  rename: (handle, random) => work.rename(handle, `name ${random}`),
  kill: (handle) => work.kill(handle),
  reorder: async () => work.reorder((await work.list()).map(({ id }) => id).reverse()),
  reorderHostile: (handle) => work.reorder([handle]),
  list: () => work.list(),
  type: async (handle) => {
    const tab = await Tab.open(tandem, handle).catch(() => undefined)
    tab?.type('exit\r')
    tab?.close()
  },
  resize: async (handle, random) => {
    const tab = await Tab.open(tandem, handle, { columns: 40 + (random % 100) }).catch(() => undefined)
    tab?.close()
  },
  remove: (_, random) => tandem.api('DELETE', `/api/workspaces?project=${world.project}&session=other-${random % 3}`)
}

test('are exactly as they were after any number of operations that name them', { timeout: LIMIT_MS }, async () => {
  expect(own.sessions.length).toBeGreaterThanOrEqual(20)
  await until(() => own.state().split('mine').length > own.sessions.length, { what: 'all programs to have begun' })
  const before = own.state()
  const step = fc.record({ name: fc.constantFrom(...Object.keys(OPERATIONS)), pick: fc.nat(), isOwn: fc.boolean() })
  const operations = fc.sample(step, { numRuns: count({ small: 150, full: 1000 }) })
  for (const { name, pick, isOwn } of operations) {
    const ours = await work.list()
    if (ours.length > 8) for (const { id } of ours.slice(4)) await work.kill(id)
    const chosen = isOwn ? ours[pick % Math.max(1, ours.length)]?.tmuxSession : own.sessions[pick % own.sessions.length]
    await OPERATIONS[name]?.(chosen ?? 'mc-work-aaaa', pick)
  }
  expect(own.state()).toBe(before)
})

test('no tool takes one of them for a terminal', { timeout: LIMIT_MS }, async () => {
  const before = own.state()
  const client = await connectMcp('2026', { url: tandem.ready.mcpUrl, token: tandem.ready.token })
  const place = { project: world.project, session: 'elsewhere' }
  for (const id of own.sessions) {
    const terminal = { id, tmuxSession: id, wsUrl: '' }
    const calls = Object.entries(TOOL_SAMPLES).map(([tool, sample]) => [tool, sample({ ...place, terminal })] as const)
    const named = calls.filter(([, given]) => Object.values(given).flat().includes(id))
    expect(named.length).toBeGreaterThan(10)
    for (const [tool, given] of named) {
      const { isError, structuredContent } = await client.call(tool, given)
      expect([tool, id, isError === true || structuredContent?.success === false]).toEqual([tool, id, true])
    }
  }
  await client.close()
  expect(own.state()).toBe(before)
})

test('and after the doctor, a restart, a killed host, a killed private server and the end of all our terminals', async () => {
  const before = own.state()
  await work.create()
  const doctor = (...flags: string[]) => runTandem(world, ['doctor', '--json', '--data-dir', world.dataDir, ...flags])
  for (const flags of [[], ['--fix']]) expect((await doctor(...flags)).stdout).toContain('findings')
  await tandem.end('SIGKILL')
  expect((await doctor('--fix')).stdout).toContain('findings')
  tandem = await Tandem.start(world)
  process.kill(world.tmuxServerPid(), 'SIGKILL')
  await until(async () => (await work.create().catch(() => undefined)) !== undefined, { what: 'a new server' })
  await runTandem(world, ['kill', '--all', '--data-dir', world.dataDir])
  expect(own.state()).toBe(before)
  expect(readdirSync(world.root).filter((name) => name.startsWith('canary'))).toEqual([])
})
