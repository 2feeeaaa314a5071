import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { expect } from 'vitest'
import type { Door } from '../harness/faults/door'
import { FaultHost } from '../harness/faults/faultHost'
import { BOTH_PLACES, faultTest, type Injection } from '../harness/faults/faultRow'
import { identify, isAlive } from '../harness/faults/processIdentity'
import { connectMcp, ERAS, type McpClient } from '../harness/mcpClients'
import { pause, until } from '../harness/waiting'

faultTest(
  { id: 'B21', fault: 'many terminals start and exit at once', quick: 1, full: 50, places: BOTH_PLACES },
  (injection) =>
    FaultHost.during((host) => burst(host, injection), { injection, options: { flags: ['--max-terminals', '1000'] } })
)

faultTest(
  { id: 'B22', fault: 'the caller goes away during a create', quick: 20, full: 1000, places: BOTH_PLACES },
  (injection) => FaultHost.during((host) => abandon(host, injection), { injection })
)

async function burst(host: FaultHost, injection: Injection): Promise<void> {
  const { starts, exits } = injection.isFull ? { starts: 200, exits: 500 } : { starts: 20, exits: 30 }
  const { mcpUrl, token } = host.tandem.ready
  const agent = await connectMcp('2026', { url: mcpUrl, token })
  for (const round of injection.rounds()) {
    const door = host.door(`burst${round}`)
    const { project, session } = door
    const ids: string[] = []
    // So many start at once; more waves of them, until there are as many as are to end at once.
    while (ids.length < exits) {
      const wave = Math.min(starts, exits - ids.length)
      const calls = Array.from({ length: wave }, () => agent.call('terminal_create_session', { project, session }))
      ids.push(...(await Promise.all(calls)).map(({ structuredContent }) => String(structuredContent?.id)))
    }
    const listed = await door.list()
    if (new Set(ids).size !== exits) injection.loss(`${new Set(ids).size} different ids of ${exits}`)
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(ids))
    expect(new Set(listed.map(({ name }) => name)).size).toBe(exits)
    const programs = listed.map(({ pid }) => identify(pid ?? 0))
    if (!programs.every((program) => program && isAlive(program))) injection.loss('a terminal does not live')
    for (const program of programs) if (program) process.kill(program.pid, 'SIGKILL')
    const isOver = async () => (await door.list()).every(({ state }) => state === 'exited')
    await until(isOver, { what: 'every exit to be told', limitMs: 120_000 })
    expect(host.stored(door)).toHaveLength(exits)
    const { body } = await host.tandem.api('DELETE', `/api/workspaces?${new URLSearchParams({ project, session })}`)
    expect(body.success).toBe(true)
    await until(() => host.stamped().every((name) => !name.startsWith(`mc-burst${round}-`)), { what: 'all to be gone' })
  }
  await agent.close()
}

/** One create with one key: cut, as a caller goes away, or waited for. */
interface Creator {
  cut(create: Keyed, afterMs: number): Promise<void>
  /** The id of what was made. */
  finish(create: Keyed): Promise<string>
}

interface Keyed {
  name: string
  key: string
}

/** Cut at any moment, at any door, the same key makes one terminal, whatever became of the first try. */
async function abandon(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  const agents = await Promise.all(
    ERAS.map((era) => connectMcp(era, { ...host.tandem.ready, url: host.tandem.ready.mcpUrl }))
  )
  const creators = [overHttp(host), ...agents.map((agent) => overMcp(agent, door))]
  for (const round of injection.rounds()) {
    const creator = creators[round % creators.length] ?? overHttp(host)
    const create = { name: `once ${round}`, key: randomUUID() }
    const tries = injection.random.between(1, 3)
    for (let number = 0; number < tries; number += 1) await creator.cut(create, injection.random.below(60))
    const made = await creator.finish(create)
    const found = (await door.list()).filter((one) => one.name === create.name)
    if (found.length !== 1 || found[0]?.id !== made)
      injection.loss(`round ${round}: ${found.length} terminals for one key`)
    await door.kill(made)
  }
  for (const agent of agents) await agent.close()
  expect(await door.list()).toEqual([])
  expect(host.stamped()).toEqual([])
}

function overHttp(host: FaultHost): Creator {
  return {
    cut: (create, afterMs) => cutPost(host, create, afterMs),
    finish: async ({ name, key }) => (await host.door().create(name, { 'idempotency-key': key })).id
  }
}

/** A call that is aborted closes its stream in the protocol of 2026, and is cancelled by a word in that of 2025. */
function overMcp(agent: McpClient, { project, session }: Door): Creator {
  const tool = 'terminal_create_session'
  const meta = (key: string) => ({ 'tandem/idempotencyKey': key })
  return {
    async cut({ name, key }, afterMs) {
      const signal = AbortSignal.timeout(afterMs)
      // Aborted or answered: both are meant to happen.
      await agent.wait(tool, { project, session, name }, { signal, meta: meta(key) }).catch(() => undefined)
    },
    async finish({ name, key }) {
      const { structuredContent } = await agent.call(tool, { project, session, name }, meta(key))
      return String(structuredContent?.id)
    }
  }
}

async function cutPost(host: FaultHost, { name, key }: Keyed, afterMs: number): Promise<void> {
  const { url, token } = host.tandem.ready
  const sent = request(`${url}/api/terminal/sessions`, {
    method: 'POST',
    headers: { 'idempotency-key': key, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  })
  sent.on('error', () => undefined)
  sent.on('response', (response) => response.resume().on('error', () => undefined))
  sent.end(JSON.stringify({ project: host.world.project, session: 'work', name }))
  await pause(afterMs)
  sent.destroy()
}
