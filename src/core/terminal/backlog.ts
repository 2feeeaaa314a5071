/** Up to here catching up is cheaper than anything else. */
const SHORT_BYTES = 8 * 1_048_576
/** What one terminal, and all of them together, may keep waiting in memory. */
const OWN_BYTES = 32 * 1_048_576
const ALL_BYTES = 128 * 1_048_576
/** A picture of the screen older than this helps nobody. */
const CATCH_UP_MS = 5_000
/** After so much more time spent on parsing, what was measured before counts half: longer than a pause of the process. */
const HALF_LIFE_MS = 500
/** Less than this says nothing about how fast parsing is. */
const EVIDENCE_MS = 250

/** The output that waits for all emulators of a host. */
export class WaitingBytes {
  total = 0
  /** Those that any of it waits for. */
  emulators = 0
}

/**
 * How far one emulator is behind its program. Where asking for the screen afresh loses output, a backlog is worked off as
 * long as memory and patience allow; where the program is merely held back meanwhile, it is kept short.
 */
export class Backlog {
  readonly #all: WaitingBytes
  readonly #isResyncLossy: boolean
  #output = 0
  #replay = 0
  #recentBytes = 0
  #recentMs = 0

  constructor(all: WaitingBytes, { isResyncLossy }: { isResyncLossy: boolean }) {
    this.#all = all
    this.#isResyncLossy = isResyncLossy
  }

  get bytes(): number {
    return this.#replay + this.#output
  }

  pushed(bytes: number): void {
    this.#setOutput(this.#output + bytes)
  }

  /** What waited is superseded by a screen of so many bytes: it is no output, and none the less for being asked for again. */
  restored(bytes: number): void {
    this.#replay = bytes
    this.#setOutput(0)
  }

  clear(): void {
    this.restored(0)
  }

  parsed(bytes: number, spentMs: number): void {
    const replayed = Math.min(bytes, this.#replay)
    this.#replay -= replayed
    this.#setOutput(this.#output - (bytes - replayed))
    const kept = 0.5 ** (spentMs / HALF_LIFE_MS)
    this.#recentBytes = this.#recentBytes * kept + bytes
    this.#recentMs = this.#recentMs * kept + spentMs
  }

  get isShort(): boolean {
    return this.#output < this.#shortBytes / 2
  }

  get isTooLong(): boolean {
    if (this.#output <= this.#shortBytes) return false
    if (!this.#isResyncLossy) return true
    return this.#output > OWN_BYTES || this.#all.total > ALL_BYTES || this.#catchUpMs > CATCH_UP_MS
  }

  /** An equal part for everybody, where all together have too much. */
  get #shortBytes(): number {
    const { total, emulators } = this.#all
    return total > ALL_BYTES ? Math.min(SHORT_BYTES, ALL_BYTES / emulators) : SHORT_BYTES
  }

  #setOutput(bytes: number): void {
    this.#all.total += bytes - this.#output
    this.#all.emulators += Number(bytes > 0) - Number(this.#output > 0)
    this.#output = bytes
  }

  /** With the emulator to itself, as fast as it was lately; 0 while that is not known. */
  get #catchUpMs(): number {
    return this.#recentMs < EVIDENCE_MS ? 0 : (this.#output * this.#recentMs) / this.#recentBytes
  }
}
