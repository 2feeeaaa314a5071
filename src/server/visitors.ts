import type { ServerResponse } from 'node:http'
import type { Access, Scope } from '../shared/access'
import { Refusal } from './refusal'
import type { Exchange, Visitor } from './routes'

const MAX_KEY_LENGTH = 255

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
