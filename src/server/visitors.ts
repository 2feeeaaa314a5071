import type { ServerResponse } from 'node:http'
import { Refusal } from './refusal'
import type { Exchange, Visitor } from './routes'

const MAX_KEY_LENGTH = 255

/** The visitor of a route that lets nobody in without a token. */
export function visitorOf({ visitor }: Exchange): Visitor {
  if (!visitor) throw new Error('A route that needs a visitor was declared open')
  return visitor
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
