import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type DoorsHost, startDoorsHost } from '../harness/doorsHost'

// openapi.json is a promise: every call in it is made as it is described, and every answer has the described shape.

type Schema = Parameters<typeof z.fromJSONSchema>[0]

interface Operation {
  parameters: { name: string; in: 'path' | 'query'; required: boolean }[]
  requestBody?: { content: { 'application/json': { schema: { required?: string[] } & Schema } } }
  responses: { 200: { content: { 'application/json': { schema: Schema } } } }
}

interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: { Error: Schema } }
}

interface Ask {
  body?: object | undefined
  token?: string
}

let host: DoorsHost
let description: Description

beforeAll(async () => {
  host = await startDoorsHost()
  description = (await ask('GET', '/api/openapi.json')).body as Description
})
afterAll(() => host.close())

async function ask(method: string, path: string, { body, token = host.owner }: Ask = {}) {
  const response = await fetch(`${host.server.origin}${path}`, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {})
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

const sessions = '/api/terminal/sessions'

/** Values that every call can be made with: a workspace of its own, with one terminal that runs and one that was closed. */
async function samples(session: string, isAboutEnded: boolean): Promise<Record<string, unknown>> {
  const where = { project: host.project, session }
  const create = async () => ((await ask('POST', sessions, { body: where })).body as { id: string }).id
  const [running, closed] = [await create(), await create()]
  await ask('DELETE', `${sessions}/${closed}?${new URLSearchParams(where)}`)
  return {
    ...where,
    id: isAboutEnded ? closed : running,
    name: 'a name',
    orderedIds: [running],
    agent: 'tester',
    state: 'working'
  }
}

function addressOf(path: string, { parameters }: Operation, values: Record<string, unknown>, more = ''): string {
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required)
  const pairs = new URLSearchParams(Object.fromEntries(query.map(({ name }) => [name, String(values[name])])))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
  return `${filled}?${pairs}${more}`
}

function bodyOf(method: string, { requestBody }: Operation, values: Record<string, unknown>): object | undefined {
  if (method === 'get') return undefined
  const schema = requestBody?.content['application/json'].schema
  return Object.fromEntries((schema?.required ?? []).map((name) => [name, values[name]]))
}

/** Parses, so that a failure says what is wrong where. */
const shape = (schema: Schema) => z.fromJSONSchema(schema)

test('every described call answers as described, and refuses as described', async () => {
  const refusal = shape(description.components.schemas.Error)
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
  )
  expect(operations.length).toBeGreaterThan(10)
  for (const [index, { path, method, operation }] of operations.entries()) {
    const what = `${method} ${path}`
    const values = await samples(`contract-${index}`, /ended|restart/.test(path))
    const [address, body] = [addressOf(path, operation, values), bodyOf(method, operation, values)]
    const answer = await ask(method, address, { body })
    expect([what, answer.status, answer.body]).toEqual([what, 200, expect.anything()])
    const { schema } = operation.responses[200].content['application/json']
    expect(() => shape(schema).parse(answer.body), what).not.toThrow()
    const strange = await ask(method, addressOf(path, operation, values, '&strange=1'), { body })
    const stranger = await ask(method, address, { body, token: 'no-token-at-all' })
    for (const [refused, status] of [
      [strange, 400],
      [stranger, 401]
    ] as const) {
      expect([what, refused.status]).toEqual([what, status])
      expect(() => refusal.parse(refused.body), what).not.toThrow()
    }
  }
})

test('every call of the API that is served is described', () => {
  const served = host.server.routes.filter(({ answer }) => answer !== undefined)
  const described = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  )
  const declared = served.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(declared.filter((call) => !call.includes('hand-over')).sort()).toEqual(described.sort())
})
