import { AppError } from '../../shared/errors'
import type { Settings } from '../../shared/settings'
import type { Terminals } from '../terminal/terminals'

/** Keeps the number of terminals within `max_terminals`, those that are just being made included. */
export class TerminalLimit {
  #creating = 0

  constructor(
    private readonly terminals: Terminals,
    private readonly settings: () => Settings
  ) {}

  /** `freed`: terminals that the new one takes the place of. */
  async within<T>(create: () => Promise<T>, freed = 0): Promise<T> {
    const limit = this.settings().max_terminals
    if (this.terminals.all().length + this.#creating - freed >= limit) {
      throw new AppError('MAX_SESSIONS', `Maximum terminals reached (${limit})`, 'Close one, or raise max_terminals.')
    }
    this.#creating += 1
    try {
      return await create()
    } finally {
      this.#creating -= 1
    }
  }
}
