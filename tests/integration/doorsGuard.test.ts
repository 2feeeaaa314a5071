import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../src/server/routes'
import { type DoorsHost, startDoorsHost } from '../harness/doorsHost'
import { type RawAnswer, rawExchange, rawRequest } from '../harness/rawHttp'

let host: DoorsHost
let port: number
let cookie: string

beforeAll(async () => {
  host = await startDoorsHost()
  port = host.server.port
  cookie = await browserCookie()
})
afterAll(() => host.close())

type Headers = [string, string][]

const own = (): Headers => [['Host', `127.0.0.1:${port}`]]
const bearer = (token = host.owner): Headers => [['Authorization', `Bearer ${token}`]]
const ownOrigin = (): Headers => [['Origin', `http://127.0.0.1:${port}`]]
const upgradeHeaders: Headers = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ['Sec-WebSocket-Protocol', 'tty']
]

async function browserCookie(): Promise<string> {
  const { search } = new URL(host.server.openUrl())
  const answer = await rawRequest(port, { path: `/${search}`, headers: own() })
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** A path that the route's pattern fits. */
const pathOf = (route: Route) =>
  route.path
    .replace(':id', '00000000-0000-4000-8000-000000000000')
    .replace(':toolsets', 'collab')
    .replace('*name', 'index-abc123.js')

const isSocket = (route: Route) => 'upgrade' in route

/** The route as a client would call it, with these headers alone. */
function ask(route: Route, headers: Headers, asUpgrade = isSocket(route)): Promise<RawAnswer> {
  const sent = asUpgrade ? [...headers, ...upgradeHeaders] : headers
  return rawRequest(port, { method: route.method, path: pathOf(route), headers: sent })
}

const codeIn = ({ body }: RawAnswer) => (JSON.parse(body) as { error: { code: string } }).error.code

const wrongHosts = () => [
  undefined,
  '',
  'evil.com',
  `evil.com:${port}`,
  `127.0.0.1:${port + 1}`,
  '127.0.0.1',
  'localhost',
  `localhost:${port}.`,
  `localhost.:${port}`,
  `127.0.0.1.:${port}`,
  `0.0.0.0:${port}`,
  `[::1]:${port}`,
  `[::ffff:127.0.0.1]:${port}`,
  `127.1:${port}`,
  `2130706433:${port}`,
  `0x7f000001:${port}`,
  `127.0.0.1:0${port}`,
  `LOCALHOST:${port}`,
  `user@127.0.0.1:${port}`,
  `127.0.0.1:${port}@evil.com`,
  `127.0.0.1:${port},evil.com`,
  `127.0.0.1:${port}/`,
  `localhost.evil.com:${port}`,
  `127.0.0.1.nip.io:${port}`,
  `http://127.0.0.1:${port}`
]

const wrongOrigins = () => [
  '',
  'null',
  'http://evil.com',
  `http://evil.com:${port}`,
  `https://127.0.0.1:${port}`,
  'http://127.0.0.1',
  'http://localhost',
  `http://127.0.0.1:${port + 1}`,
  'http://localhost:9999',
  `http://0.0.0.0:${port}`,
  `http://[::1]:${port}`,
  `http://localhost:${port}.`,
  `http://localhost.:${port}`,
  `http://127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}.evil.com`,
  `http://evil.com/http://127.0.0.1:${port}`,
  `HTTP://LOCALHOST:${port}`,
  `ws://127.0.0.1:${port}`,
  'file://',
  'chrome-extension://abcdef',
  `http://127.0.0.1:${port}, http://evil.com`
]

describe('whoever comes by a wrong name or from a wrong place is refused before anything else', () => {
  test('every wrong Host, on every route and both upgrades, with and without a token: 403', async () => {
    for (const route of host.server.routes) {
      for (const name of wrongHosts()) {
        const headers: Headers = name === undefined ? [] : [['Host', name]]
        for (const credentials of [[], bearer()]) {
          const answer = await ask(route, [...headers, ...credentials])
          expect([route.path, name, answer.status]).toEqual([route.path, name, 403])
          expect(codeIn(answer)).toBe('FORBIDDEN_ORIGIN')
        }
      }
    }
  })

  test('every wrong Origin, on every route and both upgrades, with token and cookie: 403', async () => {
    for (const route of host.server.routes) {
      for (const origin of wrongOrigins()) {
        const headers: Headers = [...own(), ['Origin', origin], ...bearer(), ['Cookie', cookie]]
        const answer = await ask(route, headers)
        expect([route.path, origin, answer.status]).toEqual([route.path, origin, 403])
      }
    }
  })

  test('two Hosts, or a request that another site caused: 403', async () => {
    for (const route of host.server.routes) {
      expect((await ask(route, [...own(), ['Host', 'evil.com'], ...bearer()])).status).toBe(403)
      expect((await ask(route, [...own(), ...bearer(), ['Sec-Fetch-Site', 'cross-site']])).status).toBe(403)
    }
  })

  test('both loopback names are ours', async () => {
    for (const name of ['127.0.0.1', 'localhost']) {
      const headers: Headers = [['Host', `${name}:${port}`], ['Origin', `http://${name}:${port}`], ...bearer()]
      expect((await rawRequest(port, { path: '/api/workspaces', headers })).status).toBe(200)
    }
  })

  test('nothing ever says that another origin may read', async () => {
    for (const route of host.server.routes) {
      for (const origin of [`http://127.0.0.1:${port}`, 'http://evil.com']) {
        const answer = await ask(route, [...own(), ['Origin', origin], ...bearer()], false)
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    }
  })
})

describe('unknown paths are 404 for everyone', () => {
  test.each([
    '/nope',
    '/api',
    '/api/',
    '/api/terminal/sessions/',
    '/api/terminal/sessions/a/b',
    '/mcp/',
    '/mcp/x/nope',
    '/mcp/x/collab,nope',
    '/mcp/nope',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
    '/index.html',
    '/favicon.ico',
    '//evil.com/',
    '/%2e%2e/etc/passwd'
  ])('%s', async (path) => {
    for (const headers of [own(), [...own(), ...bearer()], [...own(), ...upgradeHeaders]]) {
      const answer = await rawRequest(port, { path, headers })
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.headers.get('content-type')).toContain('application/json')
      expect(codeIn(answer)).toBe('NOT_FOUND')
    }
  })

  test('a target with a host in it is no path of ours', async () => {
    expect((await rawRequest(port, { path: `http://127.0.0.1:${port}/healthz`, headers: own() })).status).toBe(404)
  })
})

describe('without a right token nothing opens', () => {
  const wrongCredentials = (): Headers[] => [
    [],
    [['Authorization', '']],
    [['Authorization', 'Bearer']],
    [['Authorization', 'Bearer wrong']],
    [['Authorization', `Bearer ${host.owner}x`]],
    [['Authorization', `Basic ${Buffer.from(`x:${host.owner}`).toString('base64')}`]],
    [['Authorization', host.owner]],
    [['Cookie', `${cookie}x`], ...ownOrigin()],
    [['Cookie', `tandem_${port}=`], ...ownOrigin()]
  ]

  test('every route but /healthz, and both upgrades: 401, before the method is looked at', async () => {
    for (const route of host.server.routes.filter(({ path }) => path !== '/healthz')) {
      await Promise.all(
        wrongCredentials().map(async (credentials) => {
          const answer = await ask(route, [...own(), ...credentials])
          expect([route.path, credentials, answer.status]).toEqual([route.path, credentials, 401])
        })
      )
      const trace = await rawRequest(port, { method: 'OPTIONS', path: pathOf(route), headers: own() })
      expect(trace.status).toBe(401)
    }
  })

  test('a code opens the page, and is no right for anything else', async () => {
    const asked = { path: '/?code=x', headers: own() }
    expect((await rawRequest(port, { ...asked, method: 'POST' })).status).toBe(401)
    expect((await rawRequest(port, { ...asked, headers: [...own(), ...upgradeHeaders] })).status).toBe(401)
  })

  test('a right token is not held up by a flood of wrong ones', async () => {
    const guesses = Array.from({ length: 100 }, (_, index) =>
      rawRequest(port, { path: '/api/workspaces', headers: [...own(), ...bearer(`guess-${index}`)] })
    )
    const right = await rawRequest(port, { path: '/api/workspaces', headers: [...own(), ...bearer()] })
    expect(right.status).toBe(200)
    expect((await Promise.all(guesses)).every(({ status }) => status === 401)).toBe(true)
  })

  test('?token= counts on /ws alone', async () => {
    for (const route of host.server.routes.filter(({ path }) => path !== '/healthz' && path !== '/ws')) {
      const path = `${pathOf(route)}?token=${host.owner}`
      const headers = isSocket(route) ? [...own(), ...upgradeHeaders] : own()
      expect([path, (await rawRequest(port, { method: route.method, path, headers })).status]).toEqual([path, 401])
    }
    const path = `/ws?arg=nope&token=${host.owner}`
    expect((await rawRequest(port, { path, headers: [...own(), ...upgradeHeaders] })).status).toBe(404)
  })
})

describe('a cookie counts only on requests of our own page', () => {
  const withCookie = (...more: Headers) => [...own(), ['Cookie', cookie] as [string, string], ...more]

  test('reading calls: with the exact Origin, or when the browser says that it is the page itself', async () => {
    const status = async (...more: Headers) =>
      (await rawRequest(port, { path: '/api/workspaces', headers: withCookie(...more) })).status
    expect(await status(...ownOrigin())).toBe(200)
    expect(await status(['Sec-Fetch-Site', 'same-origin'])).toBe(200)
    expect(await status(['Sec-Fetch-Site', 'none'])).toBe(200)
    expect(await status(['Sec-Fetch-Site', 'same-site'])).toBe(403)
    expect(await status()).toBe(403)
  })

  test('changing calls and both upgrades: with the exact Origin only', async () => {
    const changing = host.server.routes.filter(
      ({ method, auth, path }) => auth.includes('cookie') && (method !== 'GET' || path === '/ws' || path === '/ui')
    )
    expect(changing.length).toBeGreaterThan(5)
    for (const route of changing) {
      expect((await ask(route, withCookie())).status).toBe(403)
      expect((await ask(route, withCookie(['Sec-Fetch-Site', 'same-origin']))).status).toBe(403)
      expect([401, 403]).not.toContain((await ask(route, withCookie(...ownOrigin()))).status)
    }
  })

  test('MCP takes no cookie at all', async () => {
    const headers = [...withCookie(...ownOrigin()), ['Content-Type', 'application/json'] as [string, string]]
    expect((await rawRequest(port, { method: 'POST', path: '/mcp', headers, body: '' })).status).toBe(401)
  })
})

describe('behind the token', () => {
  test('a wrong method is 405 and says which are right', async () => {
    const allow = async (path: string) => {
      const answer = await rawRequest(port, { method: 'PURGE', path, headers: [...own(), ...bearer()] })
      expect([path, answer.status, codeIn(answer)]).toEqual([path, 405, 'INVALID_ARGUMENTS'])
      return answer.headers.get('allow')
    }
    expect(await allow('/api/terminal/sessions')).toBe('GET, POST')
    expect(await allow('/api/terminal/sessions/reorder')).toBe('PUT')
    expect(await allow('/api/terminal/sessions/x')).toBe('DELETE, PATCH')
    expect(await allow('/mcp')).toBe('POST, GET, DELETE')
    expect(await allow('/healthz')).toBe('GET')
  })

  const takingBodies = () =>
    host.server.routes.filter(
      ({ method, auth }) => ['POST', 'PUT', 'PATCH'].includes(method) && auth.includes('bearer')
    )

  test('only JSON is taken: text, forms, compressed bodies and nothing at all are 415', async () => {
    const types: Headers[] = [
      [],
      [['Content-Type', 'text/plain']],
      [['Content-Type', 'application/x-www-form-urlencoded']],
      [['Content-Type', 'multipart/form-data; boundary=x']],
      [['Content-Type', 'text/plain; application/json']],
      [['Content-Type', 'application/jsonx']],
      [
        ['Content-Type', 'application/json'],
        ['Content-Encoding', 'gzip']
      ]
    ]
    for (const route of takingBodies()) {
      for (const type of types) {
        const headers = [...own(), ...bearer(), ...type, ['Content-Length', '2'] as [string, string]]
        const answer = await rawRequest(port, { method: route.method, path: pathOf(route), headers, body: '{}' })
        expect([route.path, type, answer.status]).toEqual([route.path, type, 415])
      }
    }
  })

  test('a body over 4 MiB is 413, announced or not; without a token it is 401 and never read', async () => {
    const json: Headers = [['Content-Type', 'application/json']]
    const limit = 4 * 1024 * 1024
    for (const route of takingBodies()) {
      const send = (headers: Headers, body: string | Buffer) =>
        rawRequest(port, { method: route.method, path: pathOf(route), headers: [...own(), ...headers], body })
      const announced: Headers = [['Content-Length', String(limit + 1)]]
      expect((await send([...bearer(), ...json, ...announced], '')).status).toBe(413)
      expect((await send([...bearer(), ['Content-Type', 'text/plain'], ...announced], '')).status).toBe(413)
      expect((await send([...json, ...announced], '')).status).toBe(401)
      const chunk = Buffer.alloc(limit + 1, 0x20)
      const chunked = Buffer.concat([
        Buffer.from(`${chunk.length.toString(16)}\r\n`),
        chunk,
        Buffer.from('\r\n0\r\n\r\n')
      ])
      const answer = await send([...bearer(), ...json, ['Transfer-Encoding', 'chunked']], chunked)
      expect([route.path, answer.status, codeIn(answer)]).toEqual([route.path, 413, 'PAYLOAD_TOO_LARGE'])
    }
  })

  test('a client that waits for "100 Continue" is told only when it may send', async () => {
    const headers: Headers = [
      ...own(),
      ['Expect', '100-continue'],
      ['Content-Type', 'application/json'],
      ['Content-Length', '9']
    ]
    const path = '/api/terminal/sessions'
    expect((await rawRequest(port, { method: 'POST', path, headers })).status).toBe(401)
    expect((await rawRequest(port, { method: 'POST', path, headers: [...headers, ...bearer()] })).status).toBe(100)
  })

  test('a WebSocket route asked without an upgrade, and the other way round, say so', async () => {
    expect((await rawRequest(port, { path: '/ws?arg=x', headers: [...own(), ...bearer()] })).status).toBe(400)
    const headers = [...own(), ...bearer(), ...upgradeHeaders]
    expect((await rawRequest(port, { path: '/api/workspaces', headers })).status).toBe(400)
  })
})

describe('hostile traffic', () => {
  const alive = async () => expect((await rawRequest(port, { path: '/healthz', headers: own() })).status).toBe(200)

  test('too many or too large headers are refused and the host lives on', async () => {
    const many: Headers = Array.from({ length: 10_000 }, (_, index) => [`X-${index}`, 'x'])
    expect((await rawRequest(port, { path: '/healthz', headers: [...own(), ...many] })).status).toBe(431)
    const huge: Headers = [['X-Huge', 'x'.repeat(100_000)]]
    expect((await rawRequest(port, { path: '/healthz', headers: [...own(), ...huge] })).status).toBe(431)
    await alive()
  })

  test('an Origin behind a thousand other headers is still seen', async () => {
    const many: Headers = Array.from({ length: 1500 }, (_, index) => [`X${index}`, ''])
    const headers: Headers = [...own(), ...many, ['Origin', 'http://evil.com']]
    expect((await rawRequest(port, { path: '/healthz', headers })).status).toBe(403)
  })

  test.each(['', 'GET / HTTP/9.9\r\n\r\n', '\0\0\0\0\r\n\r\n', '\x16\x03\x01\x02\x00\x01\r\n\r\n'])(
    'garbage %j',
    async (bytes) => {
      if (bytes !== '') expect((await rawExchange(port, Buffer.from(bytes))).status).toBe(400)
      await alive()
    }
  )

  test('two lengths for one body are refused', async () => {
    const headers: Headers = [
      ...own(),
      ...bearer(),
      ['Content-Type', 'application/json'],
      ['Content-Length', '2'],
      ['Transfer-Encoding', 'chunked']
    ]
    const answer = await rawRequest(port, { method: 'POST', path: '/api/open-code', headers, body: '{}' })
    expect(answer.status).toBe(400)
  })

  async function reorder(body: string): Promise<RawAnswer> {
    const lengthOf = String(Buffer.byteLength(body))
    const typed: Headers = [...own(), ...bearer(), ['Content-Type', 'application/json'], ['Content-Length', lengthOf]]
    const path = `/api/terminal/sessions/reorder?project=${encodeURIComponent(host.project)}&session=wide`
    return rawRequest(port, { method: 'PUT', path, headers: typed, body })
  }

  test('deep and wide JSON is refused before it is parsed', async () => {
    const deep = '['.repeat(1_000_000)
    for (const body of [deep + deep.replaceAll('[', ']'), deep, `[${'1,'.repeat(1_000_000)}1]`]) {
      const answer = await reorder(body)
      expect([answer.status, codeIn(answer)]).toEqual([400, 'INVALID_ARGUMENTS'])
      expect(answer.body).toContain('too many elements')
    }
    await alive()
  })

  test('a list of wrong ids is refused in a few words', async () => {
    const answer = await reorder(`{"orderedIds":[${Array(15_000).fill(0).join(',')}]}`)
    expect(answer.status).toBe(400)
    expect(answer.body.length).toBeLessThan(1000)
  })

  test('the largest bodies that mean something are read: the order of every terminal, and one long text', async () => {
    const ids = Array.from(
      { length: 10_000 },
      (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    )
    expect((await reorder(JSON.stringify({ orderedIds: ids }))).body).toMatch(/00000000-0000-4000-8000-/)
    const text = '{"[,\n'.repeat(400_000)
    expect((await reorder(JSON.stringify({ orderedIds: [text] }))).body).toContain('(2000000 characters)')
  })

  test('an upgrade that is reset before the decision harms nobody', async () => {
    const { connect } = await import('node:net')
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const socket = connect({ host: '127.0.0.1', port })
        await new Promise((resolve) => socket.once('connect', resolve))
        socket.write(`GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
        socket.resetAndDestroy()
      })
    )
    await alive()
  })

  test('clients that never finish their request do not keep others out, and are let go', async () => {
    const { connect } = await import('node:net')
    const slow = Array.from({ length: 200 }, () => {
      const socket = connect({ host: '127.0.0.1', port })
      socket.on('error', () => undefined)
      socket.resume()
      socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `)
      return socket
    })
    await alive()
    await Promise.all(slow.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    await alive()
  }, 60_000)
})

test('the log never holds a token, a cookie or a code', () => {
  const everything = host.logged.join('\n')
  expect(everything).not.toContain(host.owner)
  expect(everything).not.toContain(cookie.split('=')[1])
})
