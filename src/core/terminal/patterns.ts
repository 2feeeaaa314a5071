import { Worker } from 'node:worker_threads'
import { AppError } from '../../shared/errors'

/** The first match in a text. */
export interface Match {
  start: number
  end: number
}

interface Question {
  pattern: string
  resolve(found: (Match | undefined)[]): void
  reject(failure: Error): void
  timer: NodeJS.Timeout
}

interface Reply {
  id: number
  found?: ([number, number] | null)[]
  problem?: string
}

/** A pattern that needs longer than this is not worth waiting for: its thread is ended. */
const LIMIT_MS = 5000
const MAX_PATTERN_CHARACTERS = 1000

/**
 * Regular expressions from clients, by an engine whose time is linear in the text, on a thread of its own: whatever
 * pattern somebody sends, the host goes on. `^` and `$` match at every line.
 */
export class Patterns {
  readonly #questions = new Map<number, Question>()
  #worker: Worker | undefined
  #lastId = 0

  /** INVALID_PATTERN when it cannot be compiled. */
  async check(pattern: string): Promise<void> {
    await this.findEach(pattern, [])
  }

  /** The first match in `text`. */
  async find(pattern: string, text: string): Promise<Match | undefined> {
    return (await this.findEach(pattern, [text]))[0]
  }

  /** The first match in each text. */
  findEach(
    pattern: string,
    texts: readonly string[],
    { ignoreCase = false }: { ignoreCase?: boolean } = {}
  ): Promise<(Match | undefined)[]> {
    if (pattern.length > MAX_PATTERN_CHARACTERS) {
      return Promise.reject(invalid(pattern, `it is over ${MAX_PATTERN_CHARACTERS} characters`))
    }
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(id), LIMIT_MS)
      this.#questions.set(id, { pattern, resolve, reject, timer })
      const worker = this.#running()
      worker.ref()
      worker.postMessage({ id, pattern, ignoreCase, texts })
    })
  }

  #running(): Worker {
    if (this.#worker) return this.#worker
    const isSource = import.meta.url.endsWith('.ts')
    const worker = new Worker(new URL(isSource ? 'patternWorker.mjs' : 'patternWorker.js', import.meta.url))
    worker.on('message', (reply: Reply) => this.#answered(reply))
    worker.on('error', (failure) => this.#lost(worker, failure))
    this.#worker = worker
    return worker
  }

  #answered({ id, found, problem }: Reply): void {
    const question = this.#take(id)
    if (!question) return
    if (problem !== undefined) question.reject(invalid(question.pattern, problem))
    else question.resolve((found ?? []).map((pair) => (pair ? { start: pair[0], end: pair[1] } : undefined)))
  }

  #take(id: number): Question | undefined {
    const question = this.#questions.get(id)
    this.#questions.delete(id)
    clearTimeout(question?.timer)
    // An idle thread does not keep the process alive.
    if (this.#questions.size === 0) this.#worker?.unref()
    return question
  }

  /** Questions are answered one after another: the oldest is the one that takes so long, the others are asked again. */
  #giveUp(id: number): void {
    const worker = this.#worker
    const late = this.#take(id)
    late?.reject(invalid(late.pattern, 'it takes too long'))
    if (worker) this.#lost(worker, new AppError('INTERNAL', 'A pattern before this one took too long', 'Try again.'))
  }

  #lost(worker: Worker, failure: Error): void {
    if (worker !== this.#worker) return
    this.#worker = undefined
    void worker.terminate()
    for (const id of [...this.#questions.keys()]) this.#take(id)?.reject(failure)
  }
}

function invalid(pattern: string, why: string): AppError {
  const shown = JSON.stringify(pattern.slice(0, 100))
  return new AppError('INVALID_PATTERN', `Invalid pattern: ${shown}: ${why}`, 'Use RE2 syntax: no backreferences.')
}

/** One thread for the whole host, started by the first pattern. */
export const patterns = new Patterns()
