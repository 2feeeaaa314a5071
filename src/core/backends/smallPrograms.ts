import { type Errand, HelperShell } from './helperShell'
import { Serial } from './serial'

/**
 * Small programs of the system that a host needs again and again. It has a shell start them: to start one itself copies
 * the tables of all its memory and holds its event loop until the copy has its turn, which on a busy machine takes tenths
 * of a second.
 */
export class SmallPrograms {
  readonly #turns = new Serial()
  #shell: HelperShell | undefined

  /** What the program printed. One that fails harms no other: where the shell is gone, the next errand has a new one. */
  run(errand: Errand): Promise<string> {
    return this.#turns.run(async () => {
      const shell = this.#living()
      try {
        return await shell.run(errand)
      } catch (failure) {
        if (!shell.isDeaf) throw failure
        return this.#living().run(errand)
      }
    })
  }

  /** After the errands that were given before. */
  stop(): Promise<void> {
    return this.#turns.run(async () => {
      const shell = this.#shell
      this.#shell = undefined
      await shell?.end()
    })
  }

  #living(): HelperShell {
    if (!this.#shell || this.#shell.isOver) this.#shell = new HelperShell()
    return this.#shell
  }
}
