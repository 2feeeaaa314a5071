import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOLSETS, type Toolset } from '../../src/core/tools/defineTool'
import { toolsOf } from '../../src/core/tools/index'
import { SCOPES } from '../../src/shared/access'
import { type DoorsHost, startDoorsHost } from '../harness/doorsHost'
import { connectMcp, ERAS, type Era, type McpClient, type McpConnection } from '../harness/mcpClients'
import { until } from '../harness/waiting'

let host: DoorsHost
const opened: McpClient[] = []

beforeAll(async () => {
  host = await startDoorsHost()
})
afterAll(async () => {
  for (const client of opened) await client.close()
  await host.close()
})

async function connect(era: Era, options: Partial<McpConnection> & { path?: string } = {}): Promise<McpClient> {
  const { path = '', ...connection } = options
  const client = await connectMcp(era, { url: `${host.server.mcpUrl}${path}`, token: host.owner, ...connection })
  opened.push(client)
  return client
}

const names = async (client: McpClient) => (await client.listTools()).map(({ name }) => name)
const workspace = (session: string) => ({ project: host.project, session })
const textOf = ({ content }: { content: { text?: string }[] }) => content[0]?.text ?? ''

const registered = (...toolsets: Toolset[]) => toolsOf(toolsets).map(({ name }) => name)
const EVERY_TOOL = registered(...TOOLSETS)
const READ_ONLY = toolsOf(TOOLSETS, { readOnly: true }).map(({ name }) => name)

/** One JSON-RPC message over plain HTTP. */
async function post(body: unknown, headers: Record<string, string> = {}, url = host.server.mcpUrl): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${host.owner}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers
    },
    body: typeof body === 'string' ? body : JSON.stringify(body)
  })
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
}

const modernMeta = (name = 'raw') => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name, version: '1' }
})

function postModern(method: string, params: Record<string, unknown> = {}, id: number | string = 1): Promise<Response> {
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {}
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name }
  return post(
    { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...modernMeta(), ...(params._meta as object) } } },
    headers
  )
}

describe.each(ERAS)('a client of the %s protocol', (era) => {
  test('speaks its own era and is told how to work here', async () => {
    const client = await connect(era)
    expect(client.protocolVersion).toBe(era === '2026' ? '2026-07-28' : '2025-11-25')
    expect(client.instructions?.length).toBeLessThanOrEqual(2048)
    // Some clients read no further: the first paragraph says by itself what this is and what to use.
    expect(client.instructions?.indexOf('\n\n')).toBeLessThanOrEqual(512)
  })

  test('sees every tool in a stable order, with schemas and all four annotations', async () => {
    const client = await connect(era)
    const tools = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(EVERY_TOOL)
    expect(await client.listTools()).toEqual(tools)
    for (const tool of tools) {
      expect(tool.title).toBeTruthy()
      // Safe in every client: some cut longer names, some refuse other characters.
      expect(tool.name).toMatch(/^[a-z0-9_]{1,32}$/)
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.outputSchema).toMatchObject({ type: 'object' })
      expect(JSON.stringify(tool.outputSchema)).not.toContain('additionalProperties')
      expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint'
      ])
    }
  })

  test('pays fewer than 6,000 tokens to know every tool', async () => {
    const listed = (await (await connect(era)).listTools()).map(({ outputSchema: _, ...tool }) => tool)
    expect(JSON.stringify(listed).length / 4).toBeLessThan(6000)
  })

  test('creates, lists, renames, reorders and kills', async () => {
    const client = await connect(era)
    const where = workspace(`life-${era}`)
    const one = (await client.call('terminal_create_session', where)).structuredContent
    const two = (await client.call('terminal_create_session', { ...where, name: 'build' })).structuredContent
    expect(one).toMatchObject({ id: expect.any(String), wsUrl: host.server.wsUrlOf(String(one?.tmuxSession)) })
    const rename = await client.call('terminal_rename_session', { ...where, id: one?.id, name: 'server' })
    expect(rename.structuredContent).toEqual({ success: true })
    await client.call('terminal_reorder_sessions', { ...where, orderedIds: [two?.id, one?.id] })
    const listed = await client.call('terminal_list_sessions', where)
    expect(listed.structuredContent).toMatchObject({
      sessions: [
        { id: two?.id, name: 'build', order: 0 },
        { id: one?.id, name: 'server', order: 1 }
      ]
    })
    expect(textOf(listed)).toContain('build')
    expect((await client.call('terminal_kill_session', { ...where, id: two?.id })).structuredContent).toEqual({
      success: true
    })
    expect((await client.call('terminal_kill_session', { ...where, id: two?.id })).structuredContent).toEqual({
      success: false
    })
  })

  test('a refusal is a tool result with code, message and hint, and nothing else', async () => {
    const client = await connect(era)
    const refusals: [Record<string, unknown>, RegExp][] = [
      [{}, /^INVALID_ARGUMENTS: .*project/],
      [{ ...workspace('a'), colour: 'red' }, /^INVALID_ARGUMENTS: .*colour/],
      [{ ...workspace('a'), session: 7 }, /^INVALID_ARGUMENTS: .*session/],
      [{ project: '/does/not/exist', session: 'a' }, /^INVALID_ARGUMENTS: .*\/does\/not\/exist/]
    ]
    for (const [args, text] of refusals) {
      const answer = await client.call('terminal_create_session', args)
      expect(answer.isError).toBe(true)
      expect(answer.structuredContent).toBeUndefined()
      expect(textOf(answer)).toMatch(text)
      expect(textOf(answer).split('\n').length).toBeGreaterThan(1)
    }
  })

  test('an unknown tool is a JSON-RPC error', async () => {
    const client = await connect(era)
    await expect(client.call('terminal_fly')).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('terminal_fly')
    })
  })

  test('toolset paths and headers choose, read-only always wins', async () => {
    expect(await names(await connect(era, { path: '/x/collab' }))).toEqual(registered('collab'))
    expect(await names(await connect(era, { path: '/x/pty,collab' }))).toEqual(registered('collab', 'pty'))
    expect(await names(await connect(era, { path: '/x/exec' }))).toEqual(registered('exec'))
    expect(await names(await connect(era, { path: '/readonly' }))).toEqual(READ_ONLY)
    expect(await names(await connect(era, { headers: { 'x-mcp-toolsets': 'collab' } }))).toEqual(registered('collab'))
    expect(await names(await connect(era, { headers: { 'x-mcp-toolsets': 'tracked' } }))).toEqual(registered('tracked'))
    const narrowed = await connect(era, { path: '/x/collab', headers: { 'x-mcp-toolsets': 'pty' } })
    expect(await names(narrowed)).toEqual([])
    const reader = await connect(era, { headers: { 'x-mcp-readonly': 'true' } })
    expect(await names(reader)).toEqual(READ_ONLY)
    await expect(reader.call('terminal_create_session', workspace('a'))).rejects.toMatchObject({ code: -32_602 })
    await expect(connect(era, { path: '/x/nope' })).rejects.toThrow()
    await expect(connect(era, { headers: { 'x-mcp-toolsets': 'nope' } })).rejects.toThrow()
  })

  test('a token’s scopes hold for tools too', async () => {
    const token = host.tokens.add(`reader-${era}`, { scopes: ['read'], projects: null })
    const client = await connect(era, { token })
    expect((await client.call('terminal_list_sessions', workspace('a'))).isError).toBeFalsy()
    const refused = await client.call('terminal_create_session', workspace('a'))
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/^UNAUTHORIZED: /)])
  })

  test('a revoked token is out at once, in the middle of its connection', async () => {
    const token = host.tokens.add(`brief-${era}`, { scopes: SCOPES, projects: null })
    const client = await connect(era, { token })
    await client.call('terminal_list_sessions', workspace('a'))
    host.tokens.revoke(`brief-${era}`)
    await expect(client.call('terminal_list_sessions', workspace('a'))).rejects.toThrow()
  })

  test('the same idempotency key makes one terminal', async () => {
    const client = await connect(era)
    const where = workspace(`keys-${era}`)
    const meta = { 'tandem/idempotencyKey': 'once' }
    const one = await client.call('terminal_create_session', where, meta)
    const again = await client.call('terminal_create_session', where, meta)
    expect(again.structuredContent?.id).toBe(one.structuredContent?.id)
    const bad = await client.call('terminal_create_session', where, { 'tandem/idempotencyKey': 7 })
    expect([bad.isError, textOf(bad)]).toEqual([true, expect.stringMatching(/^INVALID_ARGUMENTS: /)])
  })

  test('20 clients with the same request ids, 20 calls each: every answer is its caller’s own', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => connect(era)))
    await Promise.all(
      clients.map(async (client, who) => {
        for (let turn = 0; turn < 20; turn++) {
          const nonce = `/nowhere/${era}-${who}-${turn}`
          expect(textOf(await client.call('terminal_list_sessions', { project: nonce, session: 'a' }))).toContain(nonce)
        }
      })
    )
  })
})

describe('2026-07-28 on the wire', () => {
  test('discover says what this is; lists may be kept privately', async () => {
    const discover = (await (await postModern('server/discover')).json()) as { result: Record<string, unknown> }
    expect(discover.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      cacheScope: 'private'
    })
    const list = (await (await postModern('tools/list')).json()) as { result: Record<string, unknown> }
    expect(list.result).toMatchObject({ resultType: 'complete', cacheScope: 'private', ttlMs: expect.any(Number) })
    expect(Number(list.result.ttlMs)).toBeGreaterThan(0)
  })

  test('no session is minted, and one that is sent is ignored', async () => {
    const response = await postModern('tools/list')
    expect(response.headers.get('mcp-session-id')).toBeNull()
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list', 'mcp-session-id': 'nonsense' }
    const sent = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: modernMeta() } }, headers)
    expect(sent.status).toBe(200)
  })

  test('an unknown method is 404 with -32601, a wrong version 400', async () => {
    const unknown = await postModern('nope/nope')
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      expect.objectContaining({ error: expect.objectContaining({ code: -32_601 }) })
    ])
    const mismatch = await post(
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: modernMeta() } },
      { 'mcp-protocol-version': '2025-06-18', 'mcp-method': 'tools/list' }
    )
    expect(mismatch.status).toBe(400)
  })

  test('GET and DELETE without a session are 405', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(host.server.mcpUrl, { method, headers: { authorization: `Bearer ${host.owner}` } })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  test('two callers of one token with one name share idempotency; another name does not', async () => {
    const create = async (name: string) => {
      const params = {
        name: 'terminal_create_session',
        arguments: workspace('callers'),
        _meta: { ...modernMeta(name), 'tandem/idempotencyKey': 'same' }
      }
      const answer = (await (await postModern('tools/call', params)).json()) as {
        result: { structuredContent: { id: string } }
      }
      return answer.result.structuredContent.id
    }
    const id = await create('one')
    expect(await create('one')).toBe(id)
    expect(await create('two')).not.toBe(id)
  })
})

describe('2025 sessions', () => {
  const begin = async (headers: Record<string, string> = {}) => {
    const response = await post(initialize, headers)
    await response.text()
    return response.headers.get('mcp-session-id') ?? ''
  }
  const list = (session: string, headers: Record<string, string> = {}) =>
    post({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, { 'mcp-session-id': session, ...headers })

  test('begin at initialize, and end with DELETE', async () => {
    const session = await begin()
    expect(session).toMatch(/^[0-9a-f-]{36}$/)
    expect((await list(session)).status).toBe(200)
    const headers = { authorization: `Bearer ${host.owner}`, 'mcp-session-id': session }
    expect((await fetch(host.server.mcpUrl, { method: 'DELETE', headers })).status).toBe(200)
    expect((await list(session)).status).toBe(404)
  })

  test('a request without one is 400, with an unknown one 404', async () => {
    expect((await post({ jsonrpc: '2.0', id: 2, method: 'tools/list' })).status).toBe(400)
    expect((await list('nonsense')).status).toBe(404)
  })

  test('belong to the token that made them', async () => {
    const token = host.tokens.add('thief', { scopes: SCOPES, projects: null })
    expect((await list(await begin(), { authorization: `Bearer ${token}` })).status).toBe(404)
  })

  test('are unknown after a restart, so that the client begins again', async () => {
    const session = await begin()
    await host.reopen()
    expect((await list(session).catch(() => list(session))).status).toBe(404)
    expect(await begin()).not.toBe('')
  })

  test('the stream of a revoked token ends', async () => {
    const token = host.tokens.add('listener', { scopes: SCOPES, projects: null })
    const session = await begin({ authorization: `Bearer ${token}` })
    const headers = { authorization: `Bearer ${token}`, 'mcp-session-id': session, accept: 'text/event-stream' }
    const stream = await fetch(host.server.mcpUrl, { headers })
    expect(stream.status).toBe(200)
    let ended = false
    const reader = stream.body?.getReader()
    const finish = () => {
      ended = true
    }
    const drain = async () => {
      while (!(await reader?.read())?.done);
    }
    drain().then(finish, finish)
    host.tokens.revoke('listener')
    await until(() => ended)
  })
})

describe('what is no message', () => {
  test.each(['{', '', 'nonsense'])('%j is a JSON-RPC parse error', async (body) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_700 } })
  })

  test.each(['null', '7', '{}', '[]', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'])(
    '%s is refused',
    async (body) => {
      const response = await post(body)
      expect(response.status).toBe(400)
      expect((await fetch(`${host.server.origin}/healthz`)).status).toBe(200)
    }
  )
})

test('both eras and HTTP see one truth', async () => {
  const [modern, legacy] = [await connect('2026'), await connect('2025')]
  const where = workspace('mixed')
  const one = (await modern.call('terminal_create_session', where)).structuredContent
  const two = (await legacy.call('terminal_create_session', where)).structuredContent
  const url = `${host.server.origin}/api/terminal/sessions?${new URLSearchParams(where)}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${host.owner}` } })
  const { sessions } = (await response.json()) as { sessions: { id: string }[] }
  expect(sessions.map(({ id }) => id)).toEqual([one?.id, two?.id])
  for (const client of [modern, legacy]) {
    const listed = (await client.call('terminal_list_sessions', where)).structuredContent as { sessions: unknown }
    expect(listed.sessions).toEqual(sessions)
  }
})
