/** Asks for a screen to be restored, one time after the other: what failed is not asked for with every byte that comes. */
export class RestoreRequest {
  readonly #onBehind: () => Promise<void>
  #isBroken = false
  #isAsked = false

  constructor(onBehind: () => Promise<void>) {
    this.#onBehind = onBehind
  }

  /** The emulator failed, and shows less than was printed. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  broken(): void {
    this.#isBroken = true
  }

  async ask(isNeeded: () => boolean): Promise<void> {
    if (this.#isAsked) return
    this.#isAsked = true
    await this.#onBehind()
    // A backend that cannot show the screen afresh leaves it as the new emulator has it.
    this.#isBroken = false
    if (!isNeeded()) this.#isAsked = false
  }

  /** Nothing is missing any more. */
  settled(): void {
    this.#isBroken = false
    this.#isAsked = false
  }

  /** The backlog has been worked off. */
  caughtUp(): void {
    if (!this.#isBroken) this.#isAsked = false
  }
}
