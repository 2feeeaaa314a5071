// Above the high mark the emulator lags behind what a person could read; below the low mark it is about to run dry.
const HIGH_WATER_BYTES = 100_000
const LOW_WATER_BYTES = 5_000

/** Counts bytes given to the emulator but not parsed yet, and asks the host to pause and resume at the marks. */
export class FlowControl {
  #pendingBytes = 0
  #paused = false
  readonly #pause: () => void
  readonly #resume: () => void

  constructor({ pause, resume }: { pause(): void; resume(): void }) {
    this.#pause = pause
    this.#resume = resume
  }

  get idle(): boolean {
    return this.#pendingBytes === 0
  }

  given(bytes: number): void {
    this.#pendingBytes += bytes
    if (this.#paused || this.#pendingBytes <= HIGH_WATER_BYTES) return
    this.#paused = true
    this.#pause()
  }

  parsed(bytes: number): void {
    this.#pendingBytes -= bytes
    if (!this.#paused || this.#pendingBytes >= LOW_WATER_BYTES) return
    this.#paused = false
    this.#resume()
  }

  /** A new socket starts unpaused. */
  reconnected(): void {
    this.#paused = false
  }
}
