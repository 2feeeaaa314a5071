import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { AGENT_CLIENTS } from '../../src/core/clients/agentClients'
import type { AgentClientState, ConnectedAgent, ConnectionOutcome, ConnectionSteps } from '../../src/shared/agents'
import type { Result } from '../../src/shared/errors'
import type { UiMessage } from '../../src/shared/ipc'
import { connectMcp, ERAS } from '../harness/mcpClients'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'

// The window's calls that connect agents, over the channel that browsers use, in a home of its own.

const BEFORE = `{
  // mine
  "mcpServers": {
    "other": { "command": "x", "env": { "KEY": "not-in-plans" } }
  }
}
`

let world: World
let tandem: Tandem
let window: WebSocket
let path: string
const answers = new Map<number, Result<unknown>>()
const events: string[] = []
let asked = 0

beforeAll(async () => {
  world = makeWorld()
  const programs = join(world.root, 'bin')
  mkdirSync(programs)
  writeFileSync(join(programs, 'codex'), '#!/bin/sh\necho codex-cli 7.8.9-test\n', { mode: 0o755 })
  world.environment.PATH = `${programs}:/usr/bin:/bin`
  path = AGENT_CLIENTS.find(({ id }) => id === 'cursor')?.configPath(world.environment) ?? ''
  mkdirSync(dirname(path), { recursive: true })
  tandem = await Tandem.start(world)
  window = await openWindow()
})
afterAll(async () => {
  window.terminate()
  await tandem.end('SIGKILL')
  await world.remove()
})

async function openWindow(): Promise<WebSocket> {
  const { url, openUrl } = tandem.ready
  const signedIn = await fetch(openUrl, { redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ui`, { headers: { cookie, origin: url } })
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString()) as UiMessage
    if ('event' in message) events.push(message.event)
    else answers.set(message.id, message.result)
  })
  await new Promise((resolve) => socket.once('open', resolve))
  return socket
}

async function ask<T>(call: string, ...args: unknown[]): Promise<Result<T>> {
  const id = ++asked
  window.send(JSON.stringify({ id, call, args }))
  return (await until(() => answers.get(id), { what: call, limitMs: 60_000 })) as Result<T>
}

async function answered<T>(call: string, ...args: unknown[]): Promise<T> {
  const result = await ask<T>(call, ...args)
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
  return result.value
}

const clientState = async (id: string) =>
  (await answered<AgentClientState[]>('listAgentClients')).find((client) => client.id === id)
const agents = () => answered<ConnectedAgent[]>('listConnectedAgents')

test('a client’s file is planned, changed, tried with a real bridge, and put back', { timeout: 120_000 }, async () => {
  writeFileSync(path, BEFORE)
  expect(await clientState('cursor')).toEqual({ id: 'cursor', name: 'Cursor', isFound: true, isConnected: false })
  const plan = await answered<ConnectionSteps>('planConnection', 'cursor')
  expect(plan).toMatchObject({ kind: 'file', path, warnings: [] })
  expect(plan.lines?.join('\n')).toContain(world.dataDir)
  expect(plan.lines?.join('\n')).not.toContain('not-in-plans')
  expect(readFileSync(path, 'utf8')).toBe(BEFORE)
  const connected = await answered<ConnectionOutcome>('connectAgent', 'cursor')
  expect(connected).toMatchObject({ done: true, warnings: [] })
  expect(readFileSync(path, 'utf8')).toContain('// mine')
  expect(readFileSync(path, 'utf8')).not.toContain(tandem.ready.token)
  expect(readFileSync(`${path}.before-tandem`, 'utf8')).toBe(BEFORE)
  expect(await clientState('cursor')).toMatchObject({ isConnected: true })
  expect(await answered('planConnection', 'cursor')).toEqual({ kind: 'nothing', warnings: [] })
  expect(await answered('connectAgent', 'cursor')).toMatchObject({ done: false, warnings: [] })
  // The trial is a real client, and no agent.
  expect(await agents()).toEqual([])
  expect(await answered('planConnection', 'cursor', true)).toMatchObject({ kind: 'file', path })
  expect(await answered('disconnectAgent', 'cursor')).toMatchObject({ done: true })
  expect(readFileSync(path, 'utf8')).toBe(BEFORE)
  expect(await answered('disconnectAgent', 'cursor')).toMatchObject({ done: false })
})

test('a client with a program is shown with its version and the command that would be run', async () => {
  expect(await clientState('codex')).toMatchObject({ isFound: true, version: '7.8.9-test', isConnected: false })
  const plan = await answered<ConnectionSteps>('planConnection', 'codex')
  expect(plan.kind).toBe('command')
  expect(plan.command).toMatch(/\/bin\/codex mcp add tandem -- .* mcp --data-dir /)
})

test('a broken or read-only file is refused with a code and left as it is', async () => {
  writeFileSync(path, '{ "mcpServers": ')
  expect(await ask('planConnection', 'cursor')).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENTS' } })
  expect(await ask('connectAgent', 'cursor')).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENTS' } })
  expect(await clientState('cursor')).toMatchObject({ isFound: true, isConnected: false, problem: expect.any(String) })
  expect(readFileSync(path, 'utf8')).toBe('{ "mcpServers": ')
  writeFileSync(path, BEFORE)
  chmodSync(path, 0o400)
  expect(await ask('connectAgent', 'cursor')).toMatchObject({ ok: false, error: { code: 'IO_ERROR' } })
  expect(readFileSync(path, 'utf8')).toBe(BEFORE)
  chmodSync(path, 0o600)
  expect(await ask('connectAgent', 'nobody')).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENTS' } })
})

test.each(ERAS)('a real client of %s is listed after its first request, and the window is told', async (era) => {
  const name = `agent of ${era}`
  const client = await connectMcp(era, { url: tandem.ready.mcpUrl, token: tandem.ready.token, clientName: name })
  events.length = 0
  await client.listTools()
  await until(() => events.includes('agentsChanged'), { what: 'agentsChanged' })
  expect((await agents())[0]).toMatchObject({ name, token: 'owner', isActive: true })
  await client.close()
})
