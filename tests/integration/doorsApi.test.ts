import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DoorsHost, startDoorsHost } from '../harness/doorsHost'

let host: DoorsHost

beforeAll(async () => {
  host = await startDoorsHost()
})
afterAll(() => host.close())

interface Answer {
  status: number
  // Checked field by field below.
  body: Record<string, unknown>
}

interface Ask {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

async function ask(
  method: string,
  path: string,
  { token = host.owner, body, headers = {} }: Ask = {}
): Promise<Answer> {
  const response = await fetch(`${host.server.origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const sessions = '/api/terminal/sessions'
const query = (session: string, project = host.project) => `?${new URLSearchParams({ project, session })}`
const create = (session: string, more: object = {}, options: Ask = {}) =>
  ask('POST', sessions, { body: { project: host.project, session, ...more }, ...options })

async function list(session: string): Promise<{ id: string; name: string; order: number }[]> {
  const { body } = await ask('GET', sessions + query(session))
  return body.sessions as { id: string; name: string; order: number }[]
}

describe('terminals over HTTP', () => {
  test('create, list, rename, reorder and kill are one truth', async () => {
    const one = await create('life')
    expect(one.status).toBe(200)
    expect(one.body.wsUrl).toBe(`ws://127.0.0.1:${host.server.port}/ws?arg=${one.body.tmuxSession}`)
    const two = await create('life', { name: 'build' })
    const [firstId, secondId] = [String(one.body.id), String(two.body.id)]
    expect(await ask('PATCH', `${sessions}/${firstId}${query('life')}`, { body: { name: 'server' } })).toEqual({
      status: 200,
      body: { success: true }
    })
    const reorder = await ask('PUT', `${sessions}/reorder${query('life')}`, {
      body: { orderedIds: [secondId, firstId] }
    })
    expect(reorder).toEqual({ status: 200, body: { success: true } })
    expect((await list('life')).map(({ name, order }) => [name, order])).toEqual([
      ['build', 0],
      ['server', 1]
    ])
    expect(await ask('DELETE', `${sessions}/${secondId}${query('life')}`)).toEqual({
      status: 200,
      body: { success: true }
    })
    expect((await list('life')).map(({ id, order }) => [id, order])).toEqual([[firstId, 0]])
  })

  test('an unknown id is a plain {success:false}', async () => {
    const id = '00000000-0000-4000-8000-000000000000'
    expect(await ask('DELETE', `${sessions}/${id}${query('none')}`)).toEqual({ status: 200, body: { success: false } })
    expect(await ask('PATCH', `${sessions}/${id}${query('none')}`, { body: { name: 'x' } })).toEqual({
      status: 200,
      body: { success: false }
    })
  })

  test('a repeated create with the same key makes one terminal; keys of others do not matter', async () => {
    const headers = { 'idempotency-key': 'key-1' }
    const [one, again] = [await create('keys', {}, { headers }), await create('keys', {}, { headers })]
    expect(again.body.id).toBe(one.body.id)
    const token = host.tokens.add('keyed', { scopes: ['read', 'type'], projects: null })
    expect((await create('keys', {}, { headers, token })).body.id).not.toBe(one.body.id)
    expect(await list('keys')).toHaveLength(2)
    expect((await create('keys', {}, { headers: { 'idempotency-key': 'x'.repeat(256) } })).status).toBe(400)
  })

  test('workspaces are listed, and removed with all their terminals', async () => {
    await create('gone')
    await create('gone')
    const { body } = await ask('GET', '/api/workspaces')
    expect(body.workspaces).toContainEqual({
      project: host.project,
      session: 'gone',
      terminals: 2,
      running: 2,
      available: true
    })
    expect(await ask('DELETE', `/api/workspaces${query('gone')}`)).toEqual({
      status: 200,
      body: { success: true, killed: 2 }
    })
    expect(await list('gone')).toEqual([])
  })
})

describe('bad input is answered with a code, the value and a hint', () => {
  const refused = async (answer: Promise<Answer>, named: string, status = 400) => {
    const { status: given, body } = await answer
    const error = body.error as { code: string; message: string; hint?: string }
    expect([given, error.message]).toEqual([status, expect.stringContaining(named)])
    return error
  }

  test('unknown fields, in query or body, are refused by name', async () => {
    await refused(create('bad', { colour: 'red' }), '"colour"')
    await refused(ask('GET', `${sessions}${query('bad')}&limit=5`), '"limit"')
    await refused(ask('GET', '/api/workspaces?x=1'), '"x"')
    await refused(ask('DELETE', `/api/workspaces${query('bad')}&force=1`), '"force"')
    await refused(ask('POST', '/api/open-code', { body: { port: 1 } }), '"port"')
    await refused(ask('PATCH', `${sessions}/x${query('bad')}`, { body: { name: 'a', project: '/' } }), '"project"')
    await refused(ask('DELETE', `${sessions}/x${query('bad')}`, { body: { all: true } }), '"all"')
    await refused(ask('POST', sessions, { body: '{"project":"/","session":"a","__proto__":{"x":1}}' }), '"__proto__"')
  })

  test('missing and mistyped fields are named, and a field given twice', async () => {
    await refused(ask('GET', sessions), 'project')
    await refused(ask('POST', sessions, { body: { project: host.project } }), 'session')
    await refused(create('bad', { name: 7 }), 'name')
    await refused(ask('GET', `${sessions}${query('bad')}&project=/`), '"project"')
    await refused(ask('PUT', `${sessions}/reorder${query('bad')}`, { body: { orderedIds: 'x' } }), 'orderedIds')
  })

  test.each(['', 'null', '[]', '"x"', '7', '{', '{"project":', 'undefined', '\u0000'])('the body %j', async (body) => {
    const { code } = await refused(ask('POST', sessions, { body, headers: { 'content-type': 'application/json' } }), '')
    expect(code).toBe('INVALID_ARGUMENTS')
    expect(await list('bad')).toEqual([])
  })

  test('a project that is not there is named', async () => {
    await refused(ask('POST', sessions, { body: { project: '/does/not/exist', session: 'a' } }), '/does/not/exist')
  })
})

describe('tokens with limits', () => {
  test('each scope opens its own calls and no others', async () => {
    const { id } = (await create('scopes')).body
    const calls: Record<string, () => Promise<Answer>> = {
      read: () => ask('GET', sessions + query('scopes'), { token }),
      type: () => create('scopes', { name: 'x' }, { token }),
      kill: () => ask('DELETE', `${sessions}/${id}${query('scopes')}`, { token })
    }
    let token = ''
    for (const scope of ['read', 'type', 'kill'] as const) {
      token = host.tokens.add(`only-${scope}`, { scopes: [scope], projects: null })
      for (const [needed, call] of Object.entries(calls)) {
        if (needed === scope) continue
        const { status, body } = await call()
        expect([scope, needed, status]).toEqual([scope, needed, 401])
        expect(body).toMatchObject({ error: { code: 'UNAUTHORIZED', message: expect.stringContaining(needed) } })
      }
      expect((await calls[scope]?.())?.status).toBe(200)
    }
    const reader = host.tokens.add('reader', { scopes: ['read'], projects: null })
    expect((await ask('DELETE', `/api/workspaces${query('scopes')}`, { token: reader })).status).toBe(401)
  })

  test('outside its projects nothing exists for a limited token', async () => {
    const other = join(host.root, 'other')
    mkdirSync(other)
    const { body } = await create('private')
    const token = host.tokens.add('limited', { scopes: ['read', 'type', 'kill'], projects: [other] })
    const mine = await ask('POST', sessions, { token, body: { project: other, session: 'a' } })
    expect(mine.status).toBe(200)
    const workspaces = (await ask('GET', '/api/workspaces', { token })).body.workspaces as { project: string }[]
    expect(workspaces.map(({ project }) => project)).toEqual([other])
    const foreign = await ask('GET', sessions + query('private'), { token })
    expect(JSON.stringify(foreign.body)).not.toContain(String(body.id))
    await ask('DELETE', `${sessions}/${body.id}${query('private')}`, { token })
    expect(await list('private')).toHaveLength(1)
  })

  test('a revoked token is refused from the next request on', async () => {
    const token = host.tokens.add('brief', { scopes: ['read'], projects: null })
    expect((await ask('GET', '/api/workspaces', { token })).status).toBe(200)
    host.tokens.revoke('brief')
    expect((await ask('GET', '/api/workspaces', { token })).status).toBe(401)
  })
})

test('no GET changes anything', async () => {
  await create('still')
  const state = async () => JSON.stringify([await list('still'), (await ask('GET', '/api/workspaces')).body])
  const before = await state()
  for (const { method, path } of host.server.routes) {
    if (method === 'GET') await ask('GET', path.replace(':toolsets', 'collab')).catch(() => undefined)
  }
  expect(await state()).toBe(before)
})

test('openapi.json describes every call of the API', async () => {
  const { status, body } = await ask('GET', '/api/openapi.json')
  expect(status).toBe(200)
  const paths = body.paths as Record<string, Record<string, unknown>>
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  )
  expect(described.sort()).toEqual([
    'DELETE /api/terminal/ended/{id}',
    'DELETE /api/terminal/sessions/{id}',
    'DELETE /api/workspaces',
    'GET /api/audit',
    'GET /api/terminal/ended',
    'GET /api/terminal/sessions',
    'GET /api/workspaces',
    'PATCH /api/terminal/sessions/{id}',
    'POST /api/open-code',
    'POST /api/reconcile',
    'POST /api/terminal/sessions',
    'POST /api/terminal/sessions/{id}/agent-state',
    'POST /api/terminal/sessions/{id}/restart',
    'PUT /api/terminal/sessions/reorder'
  ])
  expect(paths[sessions]?.post).toMatchObject({
    requestBody: {
      content: {
        'application/json': { schema: { required: ['project', 'session'], properties: { name: { type: 'string' } } } }
      }
    }
  })
  expect(paths[sessions]?.get).toMatchObject({
    parameters: [
      { name: 'project', in: 'query', required: true },
      { name: 'session', in: 'query', required: true }
    ]
  })
})

test('health needs no token', async () => {
  const response = await fetch(`${host.server.origin}/healthz`)
  expect(await response.json()).toEqual({ status: 'ok', version: '1.2.3' })
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})
