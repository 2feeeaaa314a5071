import type { Terminal } from '../terminal'
import type { Fired } from './waitFor'

/** What a condition is given: the terminal, how to say that it holds, and where to leave what must be undone. */
export interface Watching {
  terminal: Terminal
  fire(fired: Fired): void
  fail(failure: unknown): void
  onClose(close: () => void): void
}
