import { type ReconcileAllOptions, type ReconciledAll, reconcileAll } from './reconcileAll'

const FIRST_MS = 2000
const MAX_MS = 30_000

interface ReconciliationOptions extends ReconcileAllOptions {
  /** How soon it is looked again. */
  lookAgainMs?: number | undefined
}

/**
 * Looks at all workspaces, and again by itself while it is not known what lives: an open window asks for no list as long as
 * nothing changes, and would show its doubts for ever.
 */
export class Reconciliation {
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(private readonly options: ReconciliationOptions) {}

  async run(): Promise<ReconciledAll> {
    const done = await reconcileAll(this.options)
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (done.doubt) this.#schedule(this.options.lookAgainMs ?? FIRST_MS)
    return done
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #schedule(delayMs: number): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#look(delayMs), delayMs).unref()
  }

  // Where there is no tmux at all this goes on as long as the host does: ever more rarely, and without a word.
  async #look(delayMs: number): Promise<void> {
    const timer = this.#timer
    const isKnown = await this.#isKnown()
    const isWanted = timer === this.#timer && !this.#isStopped
    if (!isWanted) return
    if (!isKnown) this.#schedule(Math.min(delayMs * 2, MAX_MS))
    else await this.run().catch((failure: unknown) => this.options.log.error({ err: failure }, 'A late look failed'))
  }

  async #isKnown(): Promise<boolean> {
    try {
      await this.options.terminals.listLiving()
      return true
    } catch (failure) {
      this.options.log.debug({ err: failure }, 'It is still not known what lives')
      return false
    }
  }
}
