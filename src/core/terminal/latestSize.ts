import type { Size } from '../../shared/terminal'

/** Applies sizes one after the other; while one is being applied only the newest of those that wait is kept. */
export class LatestSize {
  readonly #apply: (size: Size) => Promise<void>
  #wanted: Size | undefined
  #applying: Promise<void> | undefined

  constructor(apply: (size: Size) => Promise<void>) {
    this.#apply = apply
  }

  /** Resolves when this size, or a newer one, has been applied. */
  want(size: Size): Promise<void> {
    this.#wanted = size
    this.#applying ??= this.#drain().finally(() => {
      this.#applying = undefined
    })
    return this.#applying
  }

  async #drain(): Promise<void> {
    while (this.#wanted) {
      const size = this.#wanted
      this.#wanted = undefined
      await this.#apply(size)
    }
  }
}
