import { randomUUID } from 'node:crypto'
import { tmuxSessionName } from './names'
import type { Reconciler } from './reconciler'
import type { Program } from './startTerminal'
import type { LoadedStore } from './storeFile'
import { type StoredTerminal, withStarted } from './storeState'
import type { WorkspaceContext } from './workspaceContext'
import type { WorkspaceStore } from './workspaceStore'
import type { WorkspaceTerminals } from './workspaceTerminals'

/** Starts the programs of records, and ends them again when a record could not be kept. */
export class Starter {
  constructor(
    private readonly terminals: WorkspaceTerminals,
    private readonly store: WorkspaceStore,
    private readonly reconciler: Reconciler,
    private readonly context: WorkspaceContext
  ) {}

  /** The record of a terminal that never was, at the end of the list. */
  static fresh(name: string, order: number): StoredTerminal {
    const created = new Date().toISOString()
    const nothing = { tmuxSession: '', backend: 'tmux', cwd: '', program: '', restarts: 0, unknowns: {} } as const
    return { ...nothing, id: randomUUID(), name, created, order }
  }

  /** The record as it will most likely be once its program runs. */
  planned(record: StoredTerminal, program: Program): StoredTerminal {
    const { settings, seal, pick } = this.context
    const placed = { ...record, cwd: program.cwd, program: program.command[0] }
    const backend = settings().backend === 'pty' ? 'pty' : 'tmux'
    const tmuxSession = tmuxSessionName(this.terminals.place.session, pick)
    return { ...placed, tmuxSession, backend, seal: seal.of(placed, this.terminals.place) }
  }

  /** The record as it is now that its program runs. `others`: records whose tmux names are taken. */
  async start(record: StoredTerminal, program: Program, others: readonly StoredTerminal[]): Promise<StoredTerminal> {
    try {
      const taken = new Set(others.map(({ tmuxSession }) => tmuxSession))
      const { tmuxSession, backendKind } = await this.terminals.start(record, program, taken)
      return { ...record, tmuxSession, backend: backendKind }
    } catch (failure) {
      // A create without an answer may still happen later: its stamp will tell.
      this.reconciler.isUnsettled = true
      throw failure
    }
  }

  /** Starts what is planned while the file that names it is written; one that cannot be recorded is ended again. */
  async recorded(
    planned: StoredTerminal,
    loaded: LoadedStore,
    start: (written: () => Promise<void>) => Promise<StoredTerminal>
  ): Promise<StoredTerminal> {
    let record = planned
    await this.store.saveAfter(withStarted(loaded.state, planned), loaded, async (written) => {
      record = await start(written)
      const keep = (save: () => Promise<void>) => this.#keepOrEnd(record.id, save)
      return { state: withStarted(loaded.state, record), keep }
    })
    return record
  }

  async #keepOrEnd(id: string, keep: () => Promise<void>): Promise<void> {
    try {
      await keep()
    } catch (failure) {
      await this.#endAgain(id)
      // A save that failed at its last step may have left the record in the file: the next look takes it out.
      this.reconciler.isUnsettled = true
      throw failure
    }
  }

  async #endAgain(id: string): Promise<void> {
    try {
      await this.terminals.of(id)?.kill({ force: true })
      this.terminals.discard(id)
    } catch (failure) {
      this.reconciler.isUnsettled = true
      this.context.log.error({ err: failure, id }, 'A terminal that could not be recorded could not be ended either')
    }
  }
}
