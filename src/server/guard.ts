import type { IncomingMessage } from 'node:http'
import type { Tokens } from '../core/data/tokens'
import { SCOPES } from '../shared/access'
import type { Addresses } from './addresses'
import { BackOff } from './backOff'
import type { BrowserCodes } from './browserCodes'
import { Refusal } from './refusal'
import { type AuthKind, type Exchange, type Match, matchPath, type Route, type Visitor } from './routes'
import { strings } from './strings'

export interface Admission extends Exchange {
  route: Route
}

interface GuardOptions {
  addresses: Pick<Addresses, 'hosts' | 'origins'>
  routes: readonly Route[]
  tokens: Tokens
  browserCodes: BrowserCodes
}

/**
 * The one gate before everything, for requests and WebSocket upgrades alike. It refuses in a fixed order: wrong Host or
 * Origin, unknown path, no or wrong token, wrong method. The body comes after it.
 */
export class Guard {
  readonly #options: GuardOptions
  readonly #backOff = new BackOff()

  constructor(options: GuardOptions) {
    this.#options = options
  }

  admit(request: IncomingMessage, { isUpgrade }: { isUpgrade: boolean }): Admission {
    checkAddress(request, this.#options.addresses)
    const { path, query } = splitTarget(request.url ?? '')
    const match = matchPath(this.#options.routes, path)
    if (!match) {
      throw new Refusal('NOT_FOUND', `There is nothing at "${shortened(path)}"`, { hint: strings.seeOpenApi })
    }
    const visitor = this.#authenticate({ request, query, match, isUpgrade })
    return { request, params: match.params, query, visitor, route: routeFor(request, match) }
  }

  #authenticate({ request, query, match, isUpgrade }: Asked): Visitor | undefined {
    const kinds = new Set(match.routes.flatMap((route) => route.auth))
    if (kinds.size === 0) return undefined
    // Whether a code is a right one is seen when it is redeemed, and only opening the page does that.
    if (isUpgrade || request.method !== 'GET') kinds.delete('code')
    for (const kind of ['bearer', 'query', 'code', 'cookie'] as const) {
      const credential = kinds.has(kind) ? credentialOf(kind, request, query) : undefined
      if (credential === undefined) continue
      if (kind === 'code') return undefined
      if (kind === 'cookie') return this.#byCookie({ request, query, match, isUpgrade })
      return this.#byToken(credential, kind)
    }
    throw unauthorized('No token was given')
  }

  #byToken(secret: string, via: AuthKind): Visitor {
    const access = this.#options.tokens.verify(secret)
    if (!access) throw unauthorized('The token is wrong or was revoked', this.#backOff.failedMs())
    return { access, via }
  }

  /** A browser sends cookies on its own, so a cookie counts only on a request that is provably our own page's. */
  #byCookie({ request, match, isUpgrade }: Asked): Visitor {
    const admitted = this.#options.browserCodes.admits(request.headers.cookie)
    if (admitted === undefined) throw unauthorized('No token was given')
    if (!admitted) throw unauthorized('The browser session has ended', this.#backOff.failedMs())
    const isPage = match.routes.some((route) => route.isPage)
    if (!isUpgrade && isPage && request.method === 'GET') return browserVisitor()
    if (!isFromOwnPage(request, isUpgrade)) {
      throw new Refusal('FORBIDDEN_ORIGIN', 'A cookie counts only with the Origin of this server', {
        hint: strings.useBearer
      })
    }
    return browserVisitor()
  }
}

interface Asked {
  request: IncomingMessage
  query: URLSearchParams
  match: Match
  isUpgrade: boolean
}

function browserVisitor(): Visitor {
  return { access: { name: 'owner', scopes: SCOPES, projects: null }, via: 'cookie' }
}

function checkAddress({ headers, rawHeaders }: IncomingMessage, { hosts, origins }: GuardOptions['addresses']): void {
  const { host, origin } = headers
  const hostHeaders = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (hostHeaders !== 1 || host === undefined || !hosts.has(host)) {
    throw forbidden(`Host "${shortened(host ?? '')}" is not this server`)
  }
  if (origin !== undefined && !origins.has(origin)) {
    throw forbidden(`Origin "${shortened(origin)}" is not this server`)
  }
  if (headers['sec-fetch-site'] === 'cross-site') throw forbidden('The request comes from another site')
}

// The Origin, if there is one, was already found exact. Browsers leave it out of same-origin GETs and say so instead.
function isFromOwnPage({ headers, method }: IncomingMessage, isUpgrade: boolean): boolean {
  if (headers.origin !== undefined) return true
  const site = headers['sec-fetch-site']
  return !isUpgrade && method === 'GET' && (site === 'same-origin' || site === 'none')
}

function credentialOf(kind: AuthKind, { headers }: IncomingMessage, query: URLSearchParams): string | undefined {
  if (kind === 'cookie') return headers.cookie
  if (kind === 'query') return query.get('token') ?? undefined
  if (kind === 'code') return query.get('code') ?? undefined
  if (headers.authorization === undefined) return undefined
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.authorization)?.[1] ?? ''
}

function routeFor({ method }: IncomingMessage, { routes }: Match): Route {
  const route = routes.find((candidate) => candidate.method === method)
  if (route) return route
  const allow = routes.map((candidate) => candidate.method).join(', ')
  const hint = `Allowed here: ${allow}.`
  throw new Refusal('INVALID_ARGUMENTS', `${method} is not possible here`, { status: 405, headers: { allow }, hint })
}

/** Only the origin form counts: a target with a scheme or a host in it names no path of ours. */
function splitTarget(target: string): { path: string; query: URLSearchParams } {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  return { path, query: new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1)) }
}

function forbidden(message: string): Refusal {
  return new Refusal('FORBIDDEN_ORIGIN', message, { hint: strings.useLoopback })
}

function unauthorized(message: string, delayMs = 0): Refusal {
  const headers = { 'www-authenticate': 'Bearer realm="tandem"' }
  return new Refusal('UNAUTHORIZED', message, { hint: strings.giveToken, headers, delayMs })
}

function shortened(value: string): string {
  return value.length > 100 ? `${value.slice(0, 100)}…` : value
}
