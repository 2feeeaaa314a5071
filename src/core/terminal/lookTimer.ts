/** The first look comes when output has paused for this long. */
const FIRST_MS = 100
/** Each look that nothing prompted comes this much later than the one before. */
const FACTOR = 4
const LAST_MS = 600_000

/** Looks soon after something happened, then ever more rarely until something happens again. */
export class LookTimer {
  readonly #look: () => void
  #timer: NodeJS.Timeout | undefined
  #delayMs = FIRST_MS
  #happenedMs = 0

  constructor(look: () => void) {
    this.#look = look
  }

  /** Called for every piece of output, so it costs next to nothing. */
  soon(): void {
    this.#happenedMs = performance.now()
    if (this.#delayMs === FIRST_MS && this.#timer) return
    this.#delayMs = FIRST_MS
    this.#set(FIRST_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#delayMs = FIRST_MS
  }

  #set(delayMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#due(), delayMs).unref()
  }

  #due(): void {
    const leftMs = this.#happenedMs + this.#delayMs - performance.now()
    if (leftMs > 1) this.#set(leftMs)
    else {
      this.#timer = undefined
      this.#delayMs *= FACTOR
      if (this.#delayMs <= LAST_MS) this.#set(this.#delayMs)
      this.#look()
    }
  }
}
