/** So long after a failure it is tried again: what is short now, descriptors or tmux's time, may be there then. */
const AGAIN_MS = 5_000

interface RestoreRequestOptions {
  onBehind(): Promise<void>
  onNotRestored(thrown: unknown): void
  againMs?: number
}

/** Asks for a screen to be restored, one time after the other: what failed is not asked for with every byte that comes. */
export class RestoreRequest {
  readonly #options: RestoreRequestOptions
  #isBroken = false
  #isAsked = false
  #isClosed = false
  #again: NodeJS.Timeout | undefined

  constructor(options: RestoreRequestOptions) {
    this.#options = options
  }

  /** The emulator failed, and shows less than was printed. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  broken(): void {
    this.#isBroken = true
  }

  async ask(isNeeded: () => boolean): Promise<void> {
    if (this.#isAsked || this.#isClosed) return
    this.#isAsked = true
    clearTimeout(this.#again)
    try {
      await this.#options.onBehind()
    } catch (thrown) {
      this.#options.onNotRestored(thrown)
      this.#askLater(isNeeded)
      return
    }
    // A backend that cannot show the screen afresh leaves it as the new emulator has it.
    this.#isBroken = false
    if (!isNeeded()) this.#isAsked = false
  }

  /** Nothing is missing any more. */
  settled(): void {
    clearTimeout(this.#again)
    this.#isBroken = false
    this.#isAsked = false
  }

  /** The backlog has been worked off. */
  caughtUp(): void {
    if (!this.#isBroken) this.#isAsked = false
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#again)
  }

  #askLater(isNeeded: () => boolean): void {
    if (this.#isClosed) return
    this.#again = setTimeout(() => {
      this.#isAsked = false
      if (isNeeded()) void this.ask(isNeeded)
    }, this.#options.againMs ?? AGAIN_MS)
  }
}
