import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../src/server/listen'
import { PortBusyError } from '../../src/server/server'
import { type DoorsHost, PAGE, startDoorsHost } from '../harness/doorsHost'
import { rawRequest } from '../harness/rawHttp'

let host: DoorsHost

beforeAll(async () => {
  host = await startDoorsHost()
})
afterAll(() => host.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(path.startsWith('http') ? path : `${host.server.origin}${path}`, { headers, redirect: 'manual' })

async function letIn(): Promise<string> {
  const response = await get(host.server.openUrl())
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

describe('the way in for a browser', () => {
  test('a one-time code becomes a cookie and leaves the address bar', async () => {
    const response = await get(host.server.openUrl())
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    const [pair = '', ...attributes] = response.headers.get('set-cookie')?.split('; ') ?? []
    expect(pair).toMatch(new RegExp(`^tandem_${host.server.port}=[A-Za-z0-9_-]{43}$`))
    expect(attributes).toEqual(['Path=/', 'HttpOnly', 'SameSite=Strict'])
    const page = await get('/', { cookie: pair })
    expect([page.status, await page.text()]).toEqual([200, PAGE])
  })

  test('a code works once; who is in already is led on', async () => {
    const openUrl = host.server.openUrl()
    const cookie = (await get(openUrl)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const again = await get(openUrl)
    expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null])
    const restored = await get(openUrl, { cookie })
    expect([restored.status, restored.headers.get('set-cookie')]).toEqual([303, null])
  })

  test('without either there is a friendly 401 that says what to do', async () => {
    for (const path of ['/', '/?code=nonsense', '/?code=']) {
      const response = await get(path)
      const text = await response.text()
      expect([path, response.status]).toEqual([path, 401])
      expect(response.headers.get('content-type')).toContain('text/html')
      expect(text).toContain('tandem open')
      expect(text).not.toContain('nonsense')
    }
  })

  test('`tandem open` gets a fresh address with the owner token alone', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${host.server.origin}/api/open-code`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers }
      })
    const { openUrl } = (await (await ask({ authorization: `Bearer ${host.owner}` })).json()) as { openUrl: string }
    expect((await get(openUrl)).status).toBe(303)
    const named = host.tokens.add('agent', { scopes: ['read', 'type', 'kill'], projects: null })
    expect((await ask({ authorization: `Bearer ${named}` })).status).toBe(401)
    expect((await ask({ cookie: await letIn(), origin: host.server.origin })).status).toBe(401)
  })

  test('neither code nor cookie survives the host', async () => {
    const cookie = await letIn()
    const openUrl = host.server.openUrl()
    await host.reopen()
    const own: [string, string] = ['Host', `127.0.0.1:${host.server.port}`]
    const status = async (path: string, headers: [string, string][]) =>
      (await rawRequest(host.server.port, { path, headers: [own, ...headers] })).status
    expect(await status('/', [['Cookie', cookie]])).toBe(401)
    expect(await status(`/${new URL(openUrl).search}`, [])).toBe(401)
  })
})

describe('the page', () => {
  test('may load from here alone, and talk to here alone', async () => {
    const response = await get('/', { cookie: await letIn() })
    const policy = response.headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "font-src 'self'",
      "img-src 'self' data:",
      "manifest-src 'self'",
      `connect-src 'self' ws://127.0.0.1:${host.server.port}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'"
    ])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('its files need the cookie, are typed, and are kept for good', async () => {
    expect((await get('/assets/index-abc123.js')).status).toBe(401)
    const response = await get('/assets/index-abc123.js', { cookie: await letIn() })
    expect([response.status, await response.text()]).toEqual([200, 'export {}'])
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('immutable')
  })

  test('no path leads out of its folder', async () => {
    const cookie = await letIn()
    const assets = join(host.root, 'renderer', 'assets')
    symlinkSync(join(host.root, 'secret.txt'), join(assets, 'link.js'))
    symlinkSync(host.root, join(assets, 'up'))
    writeFileSync(join(assets, '.hidden'), 'secret')
    mkdirSync(join(assets, 'folder'))
    const ways = [
      '../index.html',
      '../../secret.txt',
      '..%2f..%2fsecret.txt',
      '%2e%2e/%2e%2e/secret.txt',
      '..%5c..%5csecret.txt',
      '....//....//secret.txt',
      './index-abc123.js',
      '/etc/passwd',
      '%2fetc%2fpasswd',
      'index-abc123.js%00.png',
      'index-abc123.js/',
      'link.js',
      'up/secret.txt',
      '.hidden',
      'folder',
      'nope.js',
      `${'x'.repeat(5000)}.js`,
      '%252e%252e/secret.txt',
      ''
    ]
    for (const way of ways) {
      const headers: [string, string][] = [
        ['Host', `127.0.0.1:${host.server.port}`],
        ['Cookie', cookie]
      ]
      const answer = await rawRequest(host.server.port, { path: `/assets/${way}`, headers })
      expect([way, answer.status]).toEqual([way, 404])
      expect(answer.body).not.toMatch(/^secret/)
    }
  })
})

describe('the port', () => {
  test('an exact one that is busy is told apart from every other failure', async () => {
    const failure = await listen(createServer(), '127.0.0.1', { exact: host.server.port }).catch((thrown) => thrown)
    expect(failure).toBeInstanceOf(PortBusyError)
    expect((failure as PortBusyError).port).toBe(host.server.port)
  })

  test('a preferred one that is busy gives way to the next free one', async () => {
    const server = createServer()
    const port = await listen(server, '127.0.0.1', { startAt: host.server.port })
    expect(port).toBeGreaterThan(host.server.port)
    await new Promise((resolve) => server.close(resolve))
  })
})
