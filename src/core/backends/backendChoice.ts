import type { Settings } from '../../shared/settings'
import type { Backend } from './backend'
import { TmuxMissing } from './tmux/tmuxVersion'

interface Backends {
  tmux: Backend
  pty: Backend
  choice: () => Settings['backend']
}

/** Where a new program runs: where the setting says, or in tmux if there is a usable one, else in a pty. */
export class BackendChoice {
  readonly #backends: Backends
  #isFallback = false

  constructor(backends: Backends) {
    this.#backends = backends
  }

  /** The last program went to a pty only because tmux is missing. */
  get isFallback(): boolean {
    return this.#isFallback
  }

  async forNew(): Promise<Backend> {
    const { tmux, pty, choice } = this.#backends
    this.#isFallback = choice() === 'auto' && (await isMissing(tmux))
    return choice() === 'pty' || this.#isFallback ? pty : tmux
  }
}

/** A tmux that is there but fails or does not answer is not missing: its own error says so when it is used. */
async function isMissing(tmux: Backend): Promise<boolean> {
  try {
    await tmux.start()
    return false
  } catch (failure) {
    return failure instanceof TmuxMissing
  }
}
