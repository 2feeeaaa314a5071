import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { expect } from 'vitest'
import { FaultHost } from '../harness/faults/faultHost'
import { BOTH_PLACES, faultTest, type Injection } from '../harness/faults/faultRow'
import { identify, isAlive } from '../harness/faults/processIdentity'
import { connectMcp } from '../harness/mcpClients'
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
  const count = injection.isFull ? 200 : 20
  const { mcpUrl, token } = host.tandem.ready
  const agent = await connectMcp('2026', { url: mcpUrl, token })
  for (const round of injection.rounds()) {
    const door = host.door(`burst${round}`)
    const { project, session } = door
    const calls = Array.from({ length: count }, () => agent.call('terminal_create_session', { project, session }))
    const ids = (await Promise.all(calls)).map(({ structuredContent }) => String(structuredContent?.id))
    const listed = await door.list()
    if (new Set(ids).size !== count) injection.loss(`${new Set(ids).size} different ids of ${count}`)
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(ids))
    expect(new Set(listed.map(({ name }) => name)).size).toBe(count)
    const programs = listed.map(({ pid }) => identify(pid ?? 0))
    if (!programs.every((program) => program && isAlive(program))) injection.loss('a terminal does not live')
    for (const program of programs) if (program) process.kill(program.pid, 'SIGKILL')
    const isOver = async () => (await door.list()).every(({ state }) => state === 'exited')
    await until(isOver, { what: 'every exit to be told', limitMs: 120_000 })
    expect(host.stored(door)).toHaveLength(count)
    const { body } = await host.tandem.api('DELETE', `/api/workspaces?${new URLSearchParams({ project, session })}`)
    expect(body.success).toBe(true)
    await until(() => host.stamped().every((name) => !name.startsWith(`mc-burst${round}-`)), { what: 'all to be gone' })
  }
  await agent.close()
}

/** Cut at any moment, the same key makes one terminal, whatever became of the first try. */
async function abandon(host: FaultHost, injection: Injection): Promise<void> {
  const door = host.door()
  for (const round of injection.rounds()) {
    const name = `once ${round}`
    const headers = { 'idempotency-key': randomUUID() }
    const tries = injection.random.between(1, 3)
    for (let number = 0; number < tries; number += 1)
      await cutCreate(host, { name, headers, afterMs: injection.random.below(60) })
    const made = await door.create(name, headers)
    const found = (await door.list()).filter((one) => one.name === name)
    if (found.length !== 1 || found[0]?.id !== made.id)
      injection.loss(`round ${round}: ${found.length} terminals for one key`)
    await door.kill(made.id)
  }
  expect(await door.list()).toEqual([])
  expect(host.stamped()).toEqual([])
}

async function cutCreate(
  host: FaultHost,
  { name, headers, afterMs }: { name: string; headers: Record<string, string>; afterMs: number }
): Promise<void> {
  const { url, token } = host.tandem.ready
  const sent = request(`${url}/api/terminal/sessions`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  })
  sent.on('error', () => undefined)
  sent.on('response', (response) => response.resume().on('error', () => undefined))
  sent.end(JSON.stringify({ project: host.world.project, session: 'work', name }))
  await pause(afterMs)
  sent.destroy()
}
