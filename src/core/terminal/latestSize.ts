import type { Size } from '../../shared/terminal'

/** Applies sizes one after the other; while one is being applied only the newest of those that wait is kept. */
export class LatestSize {
  readonly #apply: (size: Size) => Promise<void>
  #newest: Size | undefined
  /** Settles, whatever comes of it, when the size under way is over. */
  #underWay: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(apply: (size: Size) => Promise<void>) {
    this.#apply = apply
  }

  /** Resolves when this size, or a newer one that took its place while it waited, has been applied. */
  want(size: Size): Promise<void> {
    this.#newest = size
    if (this.#next) return this.#next
    if (!this.#underWay) return this.#applyNewest()
    this.#next = this.#underWay.then(() => this.#applyNewest())
    return this.#next
  }

  async #applyNewest(): Promise<void> {
    const size = this.#newest
    this.#next = undefined
    if (!size) return
    const applied = this.#apply(size)
    const over = () => {
      if (this.#underWay === settled) this.#underWay = undefined
    }
    const settled = applied.then(over, over)
    this.#underWay = settled
    await applied
  }
}
