import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Audit } from '../../src/core/data/audit'
import { silentLog } from '../../src/core/log'
import { defineTool, type ToolContext } from '../../src/core/tools/defineTool'
import { createMcpDoor, type McpDoor } from '../../src/server/mcp'
import { SCOPES } from '../../src/shared/access'
import { type DoorsHost, startDoorsHost } from '../harness/doorsHost'
import { connectMcp, ERAS, type Era, type McpClient } from '../harness/mcpClients'
import { makeWorld, Tandem } from '../harness/tandem'
import { pause, until } from '../harness/waiting'

// The MCP door by itself, with one tool that waits until the test lets it go.

interface Wait {
  context: ToolContext
  finish(): void
}

const waits: Wait[] = []
const waitTool = defineTool({
  name: 'wait_for_test',
  toolset: 'exec',
  title: 'Wait',
  description: 'Waits until the test says so',
  scope: 'read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: z.object({ finished: z.boolean() }),
  run: (_, context) =>
    new Promise((resolve) => {
      context.progress('Watching the kettle')
      context.signal.addEventListener('abort', () => resolve({ finished: false }), { once: true })
      waits.push({ context, finish: () => resolve({ finished: true }) })
    })
})

let host: DoorsHost
let door: McpDoor
let server: Server
let url: string
const opened: McpClient[] = []

beforeAll(async () => {
  host = await startDoorsHost()
  door = createMcpDoor({
    workspaces: host.workspaces,
    log: silentLog,
    audit: new Audit(),
    version: '1.2.3',
    wsUrlOf: (name) => name
  })
  const visitor = { access: { name: 'owner', scopes: SCOPES, projects: null }, via: 'bearer' as const }
  server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await json(request) : undefined
    const exchange = { request, response, body, params: {}, query: new URLSearchParams(), visitor }
    await door.serve(exchange, [waitTool]).catch(() => response.writeHead(405).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
})
afterAll(async () => {
  for (const client of opened) await client.close()
  await door.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await host.close()
})

async function connect(era: Era): Promise<McpClient> {
  const client = await connectMcp(era, { url, token: 'none' })
  opened.push(client)
  return client
}

async function nextWait(): Promise<Wait> {
  const before = waits.length
  return until(() => waits[before], { what: 'the tool to be called' })
}

describe.each(ERAS)('a wait of a client of the %s protocol', (era) => {
  test('is told of while it lasts, when the client asked for that', async () => {
    const client = await connect(era)
    const told: { progress: number; message?: string | undefined }[] = []
    const begun = nextWait()
    const answer = client.wait('wait_for_test', {}, { onprogress: (progress) => told.push(progress) })
    const { finish } = await begun
    await until(() => told.length > 0)
    finish()
    expect((await answer).structuredContent).toEqual({ finished: true })
    expect(told[0]).toMatchObject({ progress: expect.any(Number), message: 'Watching the kettle' })
  })

  test('stops when the client cancels it, and the client goes on with others', async () => {
    const client = await connect(era)
    const controller = new AbortController()
    const begun = nextWait()
    const answer = client.wait('wait_for_test', {}, { signal: controller.signal })
    const { context } = await begun
    expect(context.signal.aborted).toBe(false)
    controller.abort()
    await expect(answer).rejects.toThrow()
    await until(() => context.signal.aborted)
    const next = nextWait()
    const other = client.wait('wait_for_test', {}, {})
    const { finish } = await next
    finish()
    expect((await other).structuredContent).toEqual({ finished: true })
  })

  test('stops when the client is simply gone', async () => {
    const controller = new AbortController()
    const begun = nextWait()
    const answer = hangingCall(era, controller.signal)
    const { context } = await begun
    controller.abort()
    await expect(answer).rejects.toThrow()
    await until(() => context.signal.aborted)
  })
})

test('without a progress token nothing is told: the answer is one piece of JSON', async () => {
  const begun = nextWait()
  const answer = hangingCall('2026', new AbortController().signal)
  const { finish } = await begun
  await pause(700)
  finish()
  const response = await answer
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toMatchObject({ result: { structuredContent: { finished: true } } })
})

test('a wait that is cancelled leaves the command alone, in both protocols', { timeout: 180_000 }, async () => {
  const world = makeWorld()
  const tandem = await Tandem.start(world)
  for (const era of ERAS) {
    const client = await connectMcp(era, { url: tandem.ready.mcpUrl, token: tandem.ready.token })
    const program = { program: '/bin/bash', cwd: world.project }
    const { session_id } = (await client.call('terminal__create_session', program)).structuredContent ?? {}
    await client.call('terminal__send', { session_id, text: 'sleep 5; echo went-"on"', submit: true })
    const [told, controller] = [[] as unknown[], new AbortController()]
    const options = { signal: controller.signal, onprogress: (said: unknown) => told.push(said) }
    const wait = client.wait('terminal__read', { session_id, wait_for: 'went-on', timeout_ms: 45_000 }, options)
    wait.catch(() => undefined)
    await until(() => told.length > 0)
    controller.abort()
    await expect(wait).rejects.toThrow()
    const after = await client.call('terminal__read', { session_id, wait_for: 'went-on', timeout_ms: 45_000 })
    expect(after.structuredContent).toMatchObject({ fired: 'match' })
    await client.close()
  }
  await tandem.end('SIGTERM')
  await world.remove()
})

/** One call over a connection that the test can cut. */
async function hangingCall(era: Era, signal: AbortSignal): Promise<Response> {
  const post = (body: object, headers: Record<string, string>, options: RequestInit = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
      ...options
    })
  const params = { name: 'wait_for_test', arguments: {} }
  if (era === '2026') {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {}
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': params.name }
    return post({ method: 'tools/call', params: { ...params, _meta } }, headers, { signal })
  }
  const clientInfo = { name: 'raw', version: '1' }
  const begin = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const begun = await post({ method: 'initialize', params: begin }, {})
  await begun.text()
  const headers = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  const response = await post({ method: 'tools/call', params }, headers, { signal })
  await response.text()
  return response
}
