import type { CommandRecord, ExitStatus, TerminalId, WorkspaceKey } from '../../shared/terminal'
import type { OutputLog } from '../terminal/outputLog'
import type { Terminal } from '../terminal/terminal'
import { findByHandle } from './terminalRecord'

/** So many keep their output; each holds at most `buffer_bytes` of it. */
const MAX_WITH_OUTPUT = 50
/** Of older ones only the handles are known: enough to say that they were closed. */
const MAX_REMEMBERED = 1000

/** A terminal that was closed, killed or destroyed, as far as it can still be read. */
export interface ClosedTerminal extends WorkspaceKey {
  id: TerminalId
  tmuxSession: string
  name: string
  /** Absent for all but the newest. */
  log?: OutputLog | undefined
  commands?: readonly CommandRecord[] | undefined
  /** How its program ended, once it has. */
  exit: ExitStatus | null
}

export type ClosedPlace = WorkspaceKey & { name: string }

/** What is left of closed terminals in memory: the newest with their output, older ones by name, the rest not at all. */
export class ClosedTerminals {
  /** Newest last. */
  readonly #closed = new Map<TerminalId, ClosedTerminal>()

  /**
   * Called when a terminal begins to end and again when it has: output and exit of its last moments count too. Nothing
   * that knows the terminal is kept, because that holds its screen and history as well.
   */
  keep({ id, tmuxSession, log, commands, exit }: Terminal, place: ClosedPlace): void {
    const name = place.name || (this.#closed.get(id)?.name ?? '')
    this.#closed.delete(id)
    this.#closed.set(id, { ...place, name, id, tmuxSession, log, commands: commands.all(), exit })
    this.#bound()
  }

  /** Ended terminals that a store of ours names, from before this process began. */
  remember(records: readonly { id: string; tmuxSession: string; name: string }[], { project, session }: WorkspaceKey) {
    for (const { id, tmuxSession, name } of records) {
      if (!this.#closed.has(id)) this.#closed.set(id, { project, session, id, tmuxSession, name, exit: null })
    }
    this.#bound()
  }

  /** It was started again. */
  forget(id: TerminalId): void {
    this.#closed.delete(id)
  }

  byHandle(handle: string): ClosedTerminal | undefined {
    return findByHandle([...this.#closed.values()].reverse(), handle)
  }

  #bound(): void {
    const all = [...this.#closed.values()]
    const readable = all.filter(({ log }) => log !== undefined)
    for (const closed of oldestBeyond(readable, MAX_WITH_OUTPUT)) {
      closed.log = undefined
      closed.commands = undefined
    }
    const named = all.filter(({ log }) => log === undefined)
    for (const { id } of oldestBeyond(named, MAX_REMEMBERED)) this.#closed.delete(id)
  }
}

function oldestBeyond(closed: readonly ClosedTerminal[], most: number): readonly ClosedTerminal[] {
  return closed.slice(0, Math.max(0, closed.length - most))
}
