import { randomUUID } from 'node:crypto'
import { type Fields, fieldsOf, META_KEYS } from './messages'

/** For as long as a host remembers a key. */
const REMEMBERED_MS = 10 * 60 * 1000
const MAX_REMEMBERED = 100

/**
 * Gives every call a key under which the host does a create once. A call whose outcome is not known lends its key to the
 * next one that asks for exactly the same: if the first was done after all, the second is answered with it.
 */
export class LostCalls {
  readonly #nowMs: () => number
  readonly #lost = new Map<string, { key: string; sinceMs: number }>()

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** The key of a call; the client's own one stands. */
  keyFor(params: Fields): string {
    const given = fieldsOf(params._meta)[META_KEYS.idempotencyKey]
    if (typeof given === 'string') return given
    const lost = this.#lost.get(signatureOf(params))
    const isFresh = lost !== undefined && this.#nowMs() - lost.sinceMs < REMEMBERED_MS
    return isFresh ? lost.key : randomUUID()
  }

  lost(params: Fields, key: string): void {
    this.#lost.delete(signatureOf(params))
    this.#lost.set(signatureOf(params), { key, sinceMs: this.#nowMs() })
    const [oldest] = this.#lost.keys()
    if (this.#lost.size > MAX_REMEMBERED && oldest !== undefined) this.#lost.delete(oldest)
  }

  answered(params: Fields): void {
    this.#lost.delete(signatureOf(params))
  }
}

function signatureOf({ name, arguments: given }: Fields): string {
  return JSON.stringify([name, given ?? {}])
}
