import { AppError, type Warning } from '../../shared/errors'
import type { EndedTerminal, TerminalId, TerminalSession, WorkspaceKey } from '../../shared/terminal'
import type { AttemptMark, OpenedBy } from '../backends/stamp'
import { Handover } from './handover'
import { newName, renamed } from './names'
import { ProjectUnavailable } from './projectGate'
import type { ReconcileSummary } from './reconcile'
import { Reconciler } from './reconciler'
import { reordered } from './reordered'
import { type Restart, Restarts, withoutIt } from './restarts'
import { SerialQueue } from './serialQueue'
import { Starter } from './starter'
import type { Program } from './startTerminal'
import type { LoadedStore } from './storeFile'
import { closedNow, inOrder, type StoredTerminal, withEnded } from './storeState'
import { findByHandle, showTerminal } from './terminalRecord'
import type { WorkspaceContext } from './workspaceContext'
import { WorkspaceStore } from './workspaceStore'
import { WorkspaceTerminals } from './workspaceTerminals'

export interface Listing {
  sessions: TerminalSession[]
  warnings: Warning[]
  available: boolean
}

export interface NewTerminal {
  name: string | undefined
  openedBy?: OpenedBy | undefined
  /** Left on it, so that a repeat finds it. */
  attempt?: AttemptMark | undefined
  /** Looked up when its turn has come, so that creates keep the order they were asked in. */
  program(): Promise<Program>
}

/** One project and one session: an ordered list of terminals and its store. Changes happen one at a time. */
export class Workspace {
  readonly terminals: WorkspaceTerminals
  readonly #store: WorkspaceStore
  readonly #reconciler: Reconciler
  readonly #starter: Starter
  readonly #restarts: Restarts
  readonly #queue = new SerialQueue()
  readonly handover: Handover

  constructor(
    readonly key: WorkspaceKey,
    private readonly context: WorkspaceContext
  ) {
    this.terminals = new WorkspaceTerminals(key, context, (id) => this.recordOf(id))
    const isHeld = (id: TerminalId) => this.terminals.isHeld(id)
    this.#store = new WorkspaceStore(key, context, isHeld, () => this.#queue.run(() => this.#saveEnds()))
    this.#reconciler = new Reconciler(this.#store, this.terminals, context)
    this.#starter = new Starter(this.terminals, this.#store, this.#reconciler, context)
    this.#restarts = new Restarts(this.terminals, this.#starter, context)
    const load = async () => (await this.#loadForChange()).loaded
    const own = { key, context, terminals: this.terminals, store: this.#store, queue: this.#queue }
    this.handover = new Handover({ ...own, reconciler: this.#reconciler, load })
  }

  /** Every terminal in order. Reads only, unless the store is missing, broken or was not looked at for five minutes. */
  async list(): Promise<Listing> {
    const isMoving = this.handover.isUnderWay
    try {
      const loaded = await this.#store.load()
      const isDue = isMoving || this.handover.isUnderWay || this.#reconciler.isDue(loaded)
      if (!isDue) return this.#listing(loaded.state.sessions, this.#store.warningsFor(loaded))
    } catch (failure) {
      if (failure instanceof ProjectUnavailable) return this.listUnavailable(failure.message)
      throw failure
    }
    return (await this.reconcile()).listing
  }

  /** What is there, for a summary: never repairs, and a store that cannot be used shows what was known before. */
  async summarise(): Promise<Listing & { offered: number }> {
    try {
      const { kind, state } = await this.#store.load()
      const offered = state.ended.filter((record) => this.#restarts.show(record).offered).length
      const listing = this.#listing(kind === 'ok' || kind === 'future' ? state.sessions : this.#store.lastKnown, [])
      return { ...listing, offered }
    } catch (failure) {
      return { ...this.listUnavailable(AppError.from(failure).message), offered: 0 }
    }
  }

  /** What is known of a workspace whose project cannot be reached. */
  listUnavailable(why: string): Listing {
    const show = (record: StoredTerminal) => showTerminal(record, this.terminals.of(record.id), 'unavailable')
    return {
      sessions: this.#staying(this.#store.lastKnown).map(show),
      warnings: [{ code: 'IO_ERROR', message: why }],
      available: false
    }
  }

  /**
   * Makes store and living terminals agree. What lives is asked when its turn has come: an answer of before knows nothing of
   * the moves and ends that went first. `doubt`: the backend was asked just now and did not answer.
   */
  reconcile(doubt?: AppError): Promise<{ summary: ReconcileSummary; listing: Listing }> {
    return this.#queue.run(async () => {
      try {
        const done = await this.#reconciler.run(doubt ?? (await this.#reconciler.living()))
        if (done.hasChanged) this.context.changed(this.key)
        return { summary: done.summary, listing: this.#listing(done.sessions, done.warnings) }
      } catch (failure) {
        if (!(failure instanceof ProjectUnavailable)) throw failure
        return { summary: { removed: 0, killed: 0, adopted: 0 }, listing: this.listUnavailable(failure.message) }
      }
    })
  }

  /** Starts a program and records it; a store that cannot be written ends it again. */
  create(request: NewTerminal): Promise<{ record: TerminalSession; warnings: Warning[] }> {
    return this.#queue.run(async () => {
      const program = await request.program()
      const { loaded, warnings } = await this.#loadForChange()
      const { sessions } = loaded.state
      const fresh = Starter.fresh(
        newName(
          request.name,
          sessions.map(({ name }) => name)
        ),
        sessions.length
      )
      const { openedBy, attempt } = request
      const planned = this.#starter.planned(openedBy ? { ...fresh, openedBy } : fresh, program)
      const start = () => this.#starter.start(planned, program, sessions)
      const make = () => this.context.attempts.making(fresh.id, attempt, start)
      const record = await this.#starter.recorded(planned, loaded, make)
      this.context.changed(this.key)
      return { record: this.#show(record), warnings }
    })
  }

  /**
   * Starts a terminal again that ended, by whatever cause: same id, name, place, directory and program, in a new session.
   * One that runs, or may run, is refused.
   */
  restart(request: Restart): Promise<{ record: TerminalSession; warnings: Warning[] }> {
    return this.#queue.run(async () => {
      const { loaded, warnings } = await this.#loadForChange()
      const { state } = loaded
      const found = await this.#restarts.find(request.handle, state)
      const plan = await this.#restarts.plan(found, request)
      const start = (written: () => Promise<void>) => this.#restarts.start(plan, state.sessions, written)
      const record = await this.#starter.recorded(plan.planned, { ...loaded, state: withoutIt(state, found) }, start)
      this.context.changed(this.key)
      return { record: this.#show(record), warnings: [...warnings, ...plan.warnings] }
    })
  }

  /** Terminals that are over, newest first. */
  async ended(): Promise<EndedTerminal[]> {
    const { state } = await this.#store.load()
    return state.ended.map((record) => this.#restarts.show(record))
  }

  /** Ended terminals with these ids are no longer offered; how many there were. */
  forgetEnded(ids: readonly string[]): Promise<number> {
    return this.#queue.run(async () => {
      const { loaded } = await this.#loadForChange()
      const isMeant = ({ id }: { id: string }) => ids.includes(id)
      const { state } = loaded
      const ended = state.ended.map((record) => (isMeant(record) ? { ...record, reason: 'closed' } : record))
      const count = ended.filter(isMeant).length
      if (count > 0) await this.#store.save({ ...state, ended }, loaded)
      if (count > 0) this.context.changed(this.key)
      return count
    })
  }

  /** False when no terminal of this workspace has the handle. */
  rename(handle: string, name: string): Promise<boolean> {
    return this.#change((sessions) => {
      const found = findByHandle(this.#shown(sessions), handle)
      if (!found) return undefined
      return sessions.map((record) => (record.id === found.id ? { ...record, name: renamed(name) } : record))
    })
  }

  async reorder(handles: readonly string[]): Promise<void> {
    await this.#change((sessions) => {
      const wanted = reordered(this.#shown(sessions), handles).map(({ id }) => id)
      // One that is leaving keeps its place among the others: the close may be undone.
      const ids = sessions.map(({ id }) => (this.context.leaving.has(id) ? id : wanted.shift()))
      return inOrder(sessions.map(({ place: _, ...record }) => ({ ...record, order: ids.indexOf(record.id) })))
    })
  }

  /** Takes ended terminals off the list. A store that cannot be written is a warning: they are ended all the same. */
  retire(ids: readonly string[]): Promise<Warning[]> {
    return this.#queue.run(async () => {
      try {
        await this.#retire(new Set(ids))
        return []
      } catch (failure) {
        this.#store.endedUnsaved(new Set(ids))
        const { message } = AppError.from(failure)
        this.context.log.warn({ err: failure }, 'An ended terminal could not be taken off the list yet')
        return [{ code: 'STORE_WRITE_FAILED', message: `${message}. It is saved later.` }]
      } finally {
        this.context.changed(this.key)
      }
    })
  }

  /** What was last read or written, without what is being closed. */
  get listed(): readonly StoredTerminal[] {
    return this.#staying(this.#store.lastKnown)
  }

  /** What is last known of a terminal. */
  recordOf(id: TerminalId): StoredTerminal | undefined {
    return this.#store.lastKnown.find((record) => record.id === id)
  }

  /** Nothing under way and nothing to remember: this object can be made again from the store at any time. */
  get isIdle(): boolean {
    return this.#queue.isIdle && !this.terminals.isEnding && !this.#store.hasUnsaved && !this.isUnsettled
  }

  /** Something may live, or have ended, that the list does not know of. */
  get isUnsettled(): boolean {
    return this.#reconciler.isUnsettled
  }

  async stop(): Promise<void> {
    await this.terminals.whenEnded()
    await this.#queue.whenIdle()
    this.#store.stop()
    if (this.#store.hasUnsaved) await this.#queue.run(() => this.#saveEnds())
  }

  /** The store, repaired first when it is missing or broken, so that a change is never made to half a list. */
  async #loadForChange(): Promise<{ loaded: LoadedStore; warnings: Warning[] }> {
    const found = await this.#store.load()
    this.#store.requireReplaceable(found)
    if (found.kind === 'ok') return { loaded: found, warnings: [] }
    const living = await this.#reconciler.living()
    const isInDoubt = living instanceof AppError
    if (isInDoubt && !this.#mayBegin(found)) throw living
    const { warnings, sessions } = await this.#reconciler.run(living)
    if (isInDoubt) return { loaded: { ...found, state: { ...found.state, sessions } }, warnings: [] }
    return { loaded: await this.#store.load(), warnings }
  }

  // Without a file there is no list to spoil: what lives unseen comes back by its stamp, unless it would be killed for
  // having no record.
  #mayBegin({ kind }: LoadedStore): boolean {
    return kind === 'missing' && this.context.settings().orphans !== 'kill'
  }

  #change(apply: (sessions: StoredTerminal[]) => StoredTerminal[] | undefined): Promise<boolean> {
    return this.#queue.run(async () => {
      const { loaded } = await this.#loadForChange()
      const sessions = apply(loaded.state.sessions)
      if (!sessions) return false
      await this.#store.save({ ...loaded.state, sessions }, loaded)
      await this.terminals.restamp(loaded.state.sessions, sessions)
      this.context.changed(this.key)
      return true
    })
  }

  async #retire(ids: ReadonlySet<string>): Promise<void> {
    const { loaded } = await this.#loadForChange()
    const { state } = loaded
    const gone = state.sessions.filter(({ id }) => ids.has(id))
    if (gone.length === 0) return
    const next = withEnded(state, gone, closedNow())
    await this.#store.save(next, loaded)
    await this.terminals.restamp(state.sessions, next.sessions)
  }

  async #saveEnds(): Promise<void> {
    const { loaded } = await this.#loadForChange()
    if (this.#store.hasUnsaved) await this.#store.save(loaded.state, loaded)
  }

  #listing(sessions: readonly StoredTerminal[], warnings: Warning[]): Listing {
    return { sessions: this.#shown(sessions), warnings, available: true }
  }

  #shown(sessions: readonly StoredTerminal[]): TerminalSession[] {
    return this.#staying(sessions).map((record) => this.#show(record))
  }

  #staying(sessions: readonly StoredTerminal[]): StoredTerminal[] {
    const { leaving } = this.context
    return sessions.filter(({ id }) => !leaving.has(id)).map((record, order) => ({ ...record, order }))
  }

  #show(record: StoredTerminal): TerminalSession {
    const terminal = this.terminals.of(record.id)
    return showTerminal(record, terminal, terminal?.state ?? (this.#reconciler.isUnsettled ? 'unknown' : 'lost'))
  }
}
