import { AppError } from '../../shared/errors'
import type { Settings } from '../../shared/settings'
import type { TerminalId } from '../../shared/terminal'
import type { OpenedBy } from '../backends/stamp'
import type { Terminals } from '../terminal/terminals'

export interface LimitedCreate {
  /** Terminals that the new one takes the place of. */
  freed?: number
  openedBy?: OpenedBy | undefined
}

/**
 * Keeps the number of terminals within `max_terminals`, and of those that the pty toolset opened and that still run
 * within `max_sessions`; terminals that are just being made are counted too.
 */
export class TerminalLimit {
  readonly #creating: LimitedCreate[] = []

  constructor(
    private readonly terminals: Terminals,
    private readonly settings: () => Settings,
    private readonly openers: ReadonlyMap<TerminalId, OpenedBy>
  ) {}

  async within<T>(create: () => Promise<T>, asked: LimitedCreate = {}): Promise<T> {
    this.#requireRoom(asked)
    this.#creating.push(asked)
    try {
      return await create()
    } finally {
      this.#creating.splice(this.#creating.indexOf(asked), 1)
    }
  }

  #requireRoom({ freed = 0, openedBy }: LimitedCreate): void {
    const { max_terminals, max_sessions } = this.settings()
    if (this.terminals.all().length + this.#creating.length - freed >= max_terminals) {
      const hint = 'Close one, or raise max_terminals.'
      throw new AppError('MAX_SESSIONS', `Maximum terminals reached (${max_terminals})`, hint)
    }
    if (openedBy?.toolset === 'pty' && this.#sessions() >= max_sessions) {
      const hint = 'Destroy a session, or raise max_sessions.'
      throw new AppError('MAX_SESSIONS', `Maximum sessions reached (${max_sessions})`, hint)
    }
  }

  #sessions(): number {
    const running = this.terminals.all().filter(({ id, state }) => state === 'running' && this.#isSession(id))
    return running.length + this.#creating.filter(({ openedBy }) => openedBy?.toolset === 'pty').length
  }

  #isSession(id: TerminalId): boolean {
    return this.openers.get(id)?.toolset === 'pty'
  }
}
