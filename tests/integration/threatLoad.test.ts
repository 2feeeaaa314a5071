import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { count, LIMIT_MS, limit } from '../harness/counts'
import { percentile } from '../harness/percentile'
import { CLEAR_LINE, Tab } from '../harness/tab'
import { makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import { ATTACKS, type Target } from '../harness/threats/attacks'
import * as doors from '../harness/threats/doors'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

// Somebody on this machine, or a page in the browser, who only wants the service to stop.

const ATTACK_MS = count({ small: 1000, full: 60_000 })

let world: World
let tandem: Tandem
let probe: Tab
let target: Target
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world)
  const { tmuxSession } = await work.create('probe')
  probe = await Tab.open(tandem, tmuxSession)
  await probe.sees('$')
  const { stdout } = await runTandem(world, [
    'token',
    'add',
    'watcher',
    '--scopes',
    'read',
    '--data-dir',
    world.dataDir
  ])
  const { token } = tandem.ready
  const { project } = world
  target = { port: doors.portOf(tandem), token, readToken: stdout.trim(), tmuxSession, project }
})
afterAll(async () => {
  probe.close()
  await tandem.end('SIGTERM')
  await world.remove()
})

const openFiles = () => readdirSync(`/proc/${tandem.ready.pid}/fd`).length

test.for(Object.entries(ATTACKS))(
  '%s: a terminal that is in use goes on, and nothing stays',
  { timeout: LIMIT_MS },
  async ([, attack], { task }) => {
    const filesBefore = openFiles()
    const running = attack.start(target)
    const echoes: number[] = []
    try {
      for (const end = Date.now() + ATTACK_MS; Date.now() < end || running.rounds() < attack.leastRounds; ) {
        for (let key = 0; key < 10; key++) echoes.push(await probe.echoMs())
        probe.type(`${CLEAR_LINE}echo under"-attack-"${echoes.length}\r`)
        await probe.sees(`under-attack-${echoes.length}`)
      }
    } finally {
      running.stop()
    }
    limit(task, 'echoP99Ms', { value: percentile(echoes, 99), max: 100 })
    expect(probe.closeCode).toBeUndefined()
    await until(() => openFiles() <= filesBefore + 2, { what: 'the sockets to be let go', limitMs: 60_000 })
    expect((await tandem.api('GET', '/api/workspaces')).status).toBe(200)
    expect(await work.list()).toHaveLength(1)
  }
)
