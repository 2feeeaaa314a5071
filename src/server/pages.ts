import { createReadStream, type Stats } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { extname, join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BrowserCodes } from './browserCodes'
import { isOtherUsers } from './peerUser'
import { Refusal } from './refusal'
import type { HttpExchange, HttpRoute } from './routes'
import { signInPage } from './signInPage'
import { strings } from './strings'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2'
}

/** Names as a bundler makes them; nothing hidden, no way up, no backslash, no NUL. */
const ASSET_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

const HASHED_NAME = /-[A-Za-z0-9_-]{6,}\.[a-z0-9]+$/

interface PageParts {
  rendererDir: string
  browserCodes: BrowserCodes
}

/** The page and its files. The files hold no secret, but they too are for browsers that were let in. */
export function pageRoutes(parts: PageParts): HttpRoute[] {
  const page = { method: 'GET', isPage: true } as const
  return [
    { ...page, path: '/', auth: ['cookie', 'code'], summary: 'The window', serve: (asked) => servePage(parts, asked) },
    {
      ...page,
      path: '/assets/*name',
      auth: ['cookie'],
      summary: 'Files of the window',
      serve: ({ params, response }) => serveAsset(parts, params.name ?? '', response)
    }
  ]
}

async function servePage(parts: PageParts, { request, response, query, visitor }: HttpExchange): Promise<void> {
  if (!visitor) return redeem(parts, query.get('code') ?? '', { request, response })
  response.setHeader('content-security-policy', contentSecurityPolicy(request.headers.host ?? ''))
  await serveFile(join(parts.rendererDir, 'index.html'), parts.rendererDir, response)
}

/** A used link in a browser that is in already (a restored tab) simply leads on. */
async function redeem(
  { browserCodes }: PageParts,
  code: string,
  { request, response }: Pick<HttpExchange, 'request' | 'response'>
): Promise<void> {
  // Asked before the code is used up: whoever it is not for must not spoil it either.
  if (browserCodes.isForOwnUser(code) && (await isOtherUsers(request.socket))) {
    signInPage(request, response, strings.linkOfOtherUser)
    return
  }
  const cookie = browserCodes.redeem(code)
  if (cookie === undefined && browserCodes.admits(request.headers.cookie) !== true) {
    signInPage(request, response, strings.linkUsed)
    return
  }
  if (cookie !== undefined) response.setHeader('set-cookie', cookie)
  response.writeHead(303, { location: '/' }).end()
}

async function serveAsset({ rendererDir }: PageParts, name: string, response: ServerResponse): Promise<void> {
  if (!ASSET_NAME.test(name)) throw notThere(name)
  const assets = join(rendererDir, 'assets')
  // A name with a hash of its content stands for that content for ever.
  const age = HASHED_NAME.test(name) ? 'max-age=31536000, immutable' : 'max-age=3600'
  response.setHeader('cache-control', `private, ${age}`)
  await serveFile(join(assets, name), assets, response)
}

async function serveFile(path: string, within: string, response: ServerResponse): Promise<void> {
  const found = await locate(path, within)
  if (!found) {
    response.setHeader('cache-control', 'no-store')
    throw notThere(path.slice(within.length + 1))
  }
  response.writeHead(200, {
    'content-type': CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
    'content-length': found.size
  })
  await pipeline(createReadStream(found.path, { end: Math.max(0, found.size - 1) }), response)
}

/** The file itself, followed to its real place, which must still be inside. */
async function locate(path: string, within: string): Promise<{ path: string; size: number } | undefined> {
  try {
    const [real, root] = await Promise.all([realpath(path), realpath(within)])
    if (!real.startsWith(root + sep)) return undefined
    const stats = await statOf(real)
    return stats.isFile() ? { path: real, size: stats.size } : undefined
  } catch (failure) {
    if (isAbsent(failure)) return undefined
    throw failure
  }
}

async function statOf(path: string): Promise<Stats> {
  const file = await open(path, 'r')
  try {
    return await file.stat()
  } finally {
    await file.close()
  }
}

function isAbsent(failure: unknown): boolean {
  const absent: unknown[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']
  return failure instanceof Error && 'code' in failure && absent.includes(failure.code)
}

function notThere(name: string): Refusal {
  return new Refusal('NOT_FOUND', `There is no file "${name.slice(0, 100)}"`, { hint: strings.notBuilt })
}

function contentSecurityPolicy(host: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    `connect-src 'self' ws://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
}
