import type { Logger } from '../log'
import { closedNow, type StoredTerminal, type StoreState, withEnded } from './storeState'

const RETRY_MS = 5000

/** Terminals that were ended while their store could not be written: left out of every reading until it can be. */
export class UnsavedEnds {
  readonly #ended = new Map<string, StoredTerminal>()
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly options: { retry: () => Promise<void>; log: Logger; retryMs?: number }) {}

  get isEmpty(): boolean {
    return this.#ended.size === 0
  }

  add(records: readonly StoredTerminal[]): void {
    for (const record of records) this.#ended.set(record.id, record)
    if (!this.isEmpty) this.#schedule()
  }

  applyTo(state: StoreState): StoreState {
    const gone = state.sessions.filter(({ id }) => this.#ended.has(id))
    return gone.length === 0 ? state : withEnded(state, gone, closedNow())
  }

  /** The store was written from a state without them. */
  saved(): void {
    this.#ended.clear()
    this.stop()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #schedule(): void {
    if (this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.options.retry().catch((failure: unknown) => {
        this.options.log.debug({ err: failure }, 'A store still cannot be written')
        this.#schedule()
      })
    }, this.options.retryMs ?? RETRY_MS)
    this.#timer.unref()
  }
}
