import type { ServerResponse } from 'node:http'
import { isAbsolute } from 'node:path'
import type { Access, Caller, Scope } from '../shared/access'
import { BRIDGE_HEADERS, BRIDGE_INSTANCE } from '../shared/bridge'
import { Refusal } from './refusal'
import type { Exchange, Visitor } from './routes'

const MAX_KEY_LENGTH = 255
/** A path of the longest kind, with every byte percent-encoded. */
const MAX_CWD_HEADER = 3 * 4096

/** The visitor of a route that lets nobody in without a token. */
export function visitorOf({ visitor }: Exchange): Visitor {
  if (!visitor) throw new Error('A route that needs a visitor was declared open')
  return visitor
}

/** The visitor's rights, when their token allows this. */
export function allowed(exchange: Exchange, scope: Scope): Access {
  const { access } = visitorOf(exchange)
  if (access.scopes.includes(scope)) return access
  throw new Refusal('UNAUTHORIZED', `Token "${access.name}" may not ${scope}`, {
    hint: `It has: ${access.scopes.join(', ') || 'nothing'}. Use a token with the scope "${scope}".`
  })
}

/** What a visitor calls itself, for display alone. */
export function clientNameOf({ request, visitor }: Exchange): string {
  if (visitor?.via === 'cookie') return 'browser'
  return /^tandem-[a-z]+$/.exec(request.headers['user-agent'] ?? '')?.[0] ?? 'http'
}

/** What a bridge says of itself with each request; what is not of the right form counts as not said. */
export function bridgeOf(exchange: Exchange): Pick<Caller, 'bridge' | 'cwd'> {
  const { headers } = exchange.request
  const instance = headers[BRIDGE_HEADERS.instance]
  const cwd = decoded(headers[BRIDGE_HEADERS.cwd])
  return {
    ...(typeof instance === 'string' && BRIDGE_INSTANCE.test(instance)
      ? { bridge: bridgeKey(visitorOf(exchange).access, instance) }
      : {}),
    ...(cwd !== undefined && isAbsolute(cwd) && !cwd.includes('\0') ? { cwd } : {})
  }
}

/** Instance ids are chosen by clients: one token's never stand for another's. */
function bridgeKey({ name }: Access, instance: string): string {
  return `${name}/${instance}`
}

function decoded(value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_CWD_HEADER) return undefined
  try {
    return decodeURIComponent(value)
  } catch (failure) {
    if (failure instanceof URIError) return undefined
    throw failure
  }
}

/** Aborted when the client goes away before it has its answer. */
export function abortedOnClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  return controller.signal
}

/** The same key again means the same create; undefined when none was given. */
export function idempotencyKeyOf(given: unknown): string | undefined {
  if (given === undefined) return undefined
  if (typeof given === 'string' && given.length > 0 && given.length <= MAX_KEY_LENGTH) return given
  throw new Refusal('INVALID_ARGUMENTS', 'The idempotency key is not usable', {
    hint: `Give 1 to ${MAX_KEY_LENGTH} characters.`
  })
}
