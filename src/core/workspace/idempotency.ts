import { createHash } from 'node:crypto'
import { AppError } from '../../shared/errors'
import type { AttemptMark } from '../backends/stamp'
import { quote } from './quote'

/** How long a repeat means the first attempt. */
export const REMEMBERED_MS = 10 * 60 * 1000
const MAX_KEY_CHARACTERS = 255
// One client that makes up a new key for every call must not fill the memory.
const MAX_REMEMBERED = 10_000

/** Whose key it is, the key, and what was asked under it. */
export interface Attempt {
  caller: string
  key: string
  request: string
}

interface Outcome {
  request: string
  result: Promise<unknown>
  startedMs: number
}

/**
 * Repeats of one attempt share one outcome, also while it is under way; one that failed is not remembered. The work is
 * given a mark to leave on what it makes, for hosts that do not remember.
 */
export class Idempotency {
  readonly #outcomes = new Map<string, Outcome>()

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  run<T>({ caller, key, request }: Attempt, work: (mark: AttemptMark) => Promise<T>): Promise<T> {
    if (key === '' || key.length > MAX_KEY_CHARACTERS)
      throw badKey(key, `must have 1 to ${MAX_KEY_CHARACTERS} characters`)
    this.#forgetOld()
    const name = JSON.stringify([caller, key])
    const earlier = this.#outcomes.get(name)
    if (!earlier) return this.#begin(name, request, () => work({ name: hashOf(name), request: hashOf(request) }))
    if (earlier.request !== request) throw badKey(key, 'was used for another request')
    // The same caller and key were first run with the same request, hence with the same kind of work.
    return earlier.result as Promise<T>
  }

  #begin<T>(name: string, request: string, work: () => Promise<T>): Promise<T> {
    const result = work()
    const outcome: Outcome = { request, result, startedMs: this.nowMs() }
    this.#outcomes.set(name, outcome)
    result.catch(() => {
      if (this.#outcomes.get(name) === outcome) this.#outcomes.delete(name)
    })
    return result
  }

  // Insertion order is age order.
  #forgetOld(): void {
    for (const [name, { startedMs }] of this.#outcomes) {
      if (this.nowMs() - startedMs <= REMEMBERED_MS && this.#outcomes.size < MAX_REMEMBERED) return
      this.#outcomes.delete(name)
    }
  }
}

function badKey(key: string, why: string): AppError {
  return new AppError('INVALID_ARGUMENTS', `Idempotency key ${quote(key)} ${why}`, 'Use a new key for a new request.')
}

// Half of a SHA-256: nobody guesses or doubles it, and what is asked, which may hold secrets, cannot be read from it.
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
