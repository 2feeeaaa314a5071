import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { z } from 'zod'
import type { Access } from '../shared/access'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How a visitor may show who they are. `code` is only looked at by the page itself. */
export type AuthKind = 'bearer' | 'cookie' | 'query' | 'code'

export interface Visitor {
  access: Access
  via: AuthKind
}

export interface Exchange {
  request: IncomingMessage
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Undefined on open routes, and for a code that is still to be redeemed. */
  visitor: Visitor | undefined
}

export interface HttpExchange extends Exchange {
  response: ServerResponse
  /** The parsed JSON body; undefined when there was none. */
  body: unknown
}

export interface SocketExchange extends Exchange {
  socket: Duplex
  head: Buffer
}

interface Declaration {
  /** `:name` stands for one segment, `*name` at the end for all the rest. */
  path: string
  method: Method
  summary: string
  /** Empty: open to everyone who passes Host and Origin. All methods of a path have the same. */
  auth: readonly AuthKind[]
  /** A document of the page itself: navigations and its assets carry no Origin. */
  isPage?: boolean
  /** Errors of the body are told in JSON-RPC. */
  speaksJsonRpc?: boolean
  query?: z.ZodObject
  body?: z.ZodObject
  /** Given for the calls of the HTTP API: they are described in openapi.json. */
  answer?: z.ZodObject
  /** A path whose parameters it refuses does not exist. */
  accepts?(params: Readonly<Record<string, string>>): boolean
}

export type HttpRoute = Declaration & { serve(exchange: HttpExchange): void | Promise<void> }
export type SocketRoute = Declaration & { upgrade(exchange: SocketExchange): void }
/** One declared call of a door; the guard, `Allow`, and openapi.json are derived from the list of them. */
export type Route = HttpRoute | SocketRoute

export interface Match {
  routes: readonly Route[]
  params: Readonly<Record<string, string>>
}

/** The routes of the first declared path that fits; literal paths are declared before those with parameters. */
export function matchPath(routes: readonly Route[], path: string): Match | undefined {
  for (const route of routes) {
    const params = parametersOf(route.path, path)
    if (params && (route.accepts?.(params) ?? true)) {
      return { routes: routes.filter((other) => other.path === route.path), params }
    }
  }
  return undefined
}

function parametersOf(pattern: string, path: string): Record<string, string> | undefined {
  const expected = pattern.split('/')
  const given = path.split('/')
  const params: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const segment = part.startsWith('*') ? given.slice(index).join('/') : given[index]
    if (segment === undefined) return undefined
    if (part.startsWith('*')) return decodeInto(params, part, segment)
    if (!part.startsWith(':') && part !== segment) return undefined
    if (part.startsWith(':') && !decodeInto(params, part, segment)) return undefined
  }
  return given.length === expected.length ? params : undefined
}

function decodeInto(params: Record<string, string>, part: string, segment: string): Record<string, string> | undefined {
  if (segment === '') return undefined
  try {
    params[part.slice(1)] = decodeURIComponent(segment)
    return params
  } catch (failure) {
    if (failure instanceof URIError) return undefined
    throw failure
  }
}
