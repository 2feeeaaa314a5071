const STEP_MS = 100
/** A longer step means that this process was stopped or the machine slept: nobody is blamed for that time. */
const LONGEST_STEP_MS = 1000

interface Waiter {
  untilMs: number
  wake(): void
}

/** Time that passes only while this process runs: after a stop of a minute every limit is as far away as it was before. */
export class RunningTime {
  readonly #waiters = new Set<Waiter>()
  readonly #timer = setInterval(() => this.#step(), STEP_MS).unref()
  #lastMs = performance.now()
  #ms = 0

  get ms(): number {
    return this.#ms
  }

  /** Ends early when the signal does. */
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiters.delete(waiter)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const waiter = { untilMs: this.#ms + ms, wake }
      if (signal?.aborted) return resolve()
      this.#waiters.add(waiter)
      signal?.addEventListener('abort', wake)
    })
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #step(): void {
    const nowMs = performance.now()
    this.#ms += Math.min(nowMs - this.#lastMs, LONGEST_STEP_MS)
    this.#lastMs = nowMs
    for (const waiter of [...this.#waiters]) if (waiter.untilMs <= this.#ms) waiter.wake()
  }
}
