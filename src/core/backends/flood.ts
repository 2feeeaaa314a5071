/** So much in so short a time is a flood; what comes slower is passed on as it comes. */
const FLOOD_BYTES = 32_768
const WINDOW_MS = 4

/** How long a flood gathers before it is passed on: a wait that nobody sees, and far fewer pieces for everybody. */
export const GATHER_MS = 1

/** Tells a flood of output from what programs print otherwise. */
export class Flood {
  #windowEndsAt = 0
  #windowBytes = 0

  /** Whether output comes as a flood, now that so many bytes more have come. */
  isOnAfter(bytes: number): boolean {
    const now = performance.now()
    if (now > this.#windowEndsAt) {
      this.#windowEndsAt = now + WINDOW_MS
      this.#windowBytes = 0
    }
    this.#windowBytes += bytes
    return this.#windowBytes >= FLOOD_BYTES
  }
}
