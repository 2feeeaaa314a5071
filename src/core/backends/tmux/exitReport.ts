import type { ExitStatus } from '../../../shared/terminal'
import type { Line } from './control'
import type { PaneWatch } from './paneWatch'

const LOOK_AGAIN_MS = 30
/** tmux collects the program as soon as another child of it ends; so many tries without are proof that it cannot. */
const MAX_TRIES = 100

/**
 * Turns "the pane is dead" into one report of how the program ended. Debian's tmux sometimes misses the signal that a
 * child ended and has no status then; any other child that ends makes it look.
 */
export class ExitReport {
  readonly #control: Line
  readonly #watch: PaneWatch
  readonly #report: (status: ExitStatus) => Promise<void>
  #tries = 0
  #reported = false
  #timer: NodeJS.Timeout | undefined

  constructor({ control, watch }: { control: Line; watch: PaneWatch }, report: (status: ExitStatus) => Promise<void>) {
    this.#control = control
    this.#watch = watch
    this.#report = report
  }

  /** A look found the pane dead, with or without a status. */
  dead(status: ExitStatus | undefined): void {
    if (this.#reported) return
    if (!status && this.#tries < MAX_TRIES) {
      this.#lookAgain()
      return
    }
    this.stop()
    void this.#report(status ?? { exitCode: null, signal: null })
  }

  stop(): void {
    this.#reported = true
    clearTimeout(this.#timer)
  }

  #lookAgain(): void {
    this.#tries += 1
    clearTimeout(this.#timer)
    const wake = this.#control.ask([['run-shell', '-b', 'true']]).catch(() => undefined)
    this.#timer = setTimeout(() => void wake.then(() => this.#watch.lookNow()), LOOK_AGAIN_MS)
  }
}
