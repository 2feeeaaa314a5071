const FREE_FAILURES = 10
const STEP_MS = 10
/** 256 bits cannot be guessed at any speed; this only keeps a guesser from being a load. */
const MAX_DELAY_MS = 200
/** One failure is forgiven in this time. */
const FORGIVE_MS = 1000
/** More waiting answers than this are not held: holding them would be the attack. */
const MAX_HELD = 50

/** Slows down whoever guesses tokens. Only the refusals wait; a right token is never delayed by others' wrong ones. */
export class BackOff {
  #failures = 0
  #lastMs = 0
  #heldUntilMs: number[] = []

  /** Counts one wrong token and says how long its refusal waits. */
  failedMs(nowMs = Date.now()): number {
    const forgiven = Math.floor((nowMs - this.#lastMs) / FORGIVE_MS)
    this.#failures = Math.max(0, this.#failures - forgiven) + 1
    this.#lastMs = nowMs
    this.#heldUntilMs = this.#heldUntilMs.filter((until) => until > nowMs)
    const delayMs = Math.min(MAX_DELAY_MS, Math.max(0, this.#failures - FREE_FAILURES) * STEP_MS)
    if (delayMs === 0 || this.#heldUntilMs.length >= MAX_HELD) return 0
    this.#heldUntilMs.push(nowMs + delayMs)
    return delayMs
  }
}
