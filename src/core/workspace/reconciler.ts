import { AppError, type Warning } from '../../shared/errors'
import type { LivingTerminal } from '../backends/backend'
import {
  asStamped,
  type Presence,
  planReconcile,
  type ReconcileInput,
  type ReconcilePlan,
  type ReconcileSummary,
  recordOf
} from './reconcile'
import type { LoadedStore } from './storeFile'
import { closedNow, inOrder, type StoredTerminal, withEnded } from './storeState'
import type { WorkspaceContext } from './workspaceContext'
import type { WorkspaceStore } from './workspaceStore'
import type { WorkspaceTerminals } from './workspaceTerminals'

const FRESH_MS = 5 * 60 * 1000

export interface Reconciled {
  summary: ReconcileSummary
  sessions: StoredTerminal[]
  warnings: Warning[]
  hasChanged: boolean
}

/** Makes one workspace's store agree with what lives. On doubt nothing is killed, removed or written. */
export class Reconciler {
  #lastRunMs = Number.NEGATIVE_INFINITY
  /** What lives and what is written may differ: look again at the next opportunity; until then states are unknown. */
  isUnsettled = false

  constructor(
    private readonly store: WorkspaceStore,
    private readonly terminals: WorkspaceTerminals,
    private readonly context: WorkspaceContext
  ) {}

  isDue({ kind, state }: LoadedStore): boolean {
    if ((kind !== 'ok' && kind !== 'future') || this.isUnsettled) return true
    if (kind === 'ok' && this.terminals.hasUnrecorded(state.sessions)) return true
    // A time that does not parse, or lies ahead, proves no freshness.
    const ageMs = Math.abs(Date.now() - Date.parse(state.lastModified))
    return !(ageMs <= FRESH_MS) && performance.now() - this.#lastRunMs > FRESH_MS
  }

  /** Asks the backend what lives; its doubt comes back as a value. */
  async living(): Promise<readonly LivingTerminal[] | AppError> {
    try {
      return await this.terminals.listLiving()
    } catch (failure) {
      return AppError.from(failure)
    }
  }

  async run(everywhere: readonly LivingTerminal[] | AppError): Promise<Reconciled> {
    const known = everywhere instanceof AppError ? [] : everywhere
    const living = this.terminals.mine(known)
    if (!(everywhere instanceof AppError)) await this.terminals.noteServer()
    const doubt = everywhere instanceof AppError ? everywhere : await this.terminals.serverElsewhere()
    this.isUnsettled = !(await this.terminals.adopt(living)) || doubt !== undefined
    const loaded = await this.#load(living)
    const plan = planReconcile({ ...this.#inputOf(loaded, living, doubt), movedAway: this.terminals.movedAway(known) })
    if (plan.doubtful.length > 0) this.isUnsettled = true
    const killed = await this.#endOrphans(plan)
    for (const { id } of plan.gone) this.terminals.discard(id)
    const isKeptAsIs = everywhere instanceof AppError && (loaded.kind !== 'ok' || plan.gone.length === 0)
    const unsaved = isKeptAsIs ? [] : await this.#save(plan, loaded)
    const warnings = [...this.#warningsFor(loaded, plan), ...this.#doubtful(everywhere, plan, doubt), ...unsaved]
    for (const { code, message } of warnings) this.context.log.warn({ code }, message)
    await this.terminals.restamp(
      living.map((one) => recordOf(one)),
      plan.state.sessions
    )
    this.#lastRunMs = performance.now()
    const summary = { removed: plan.gone.length + plan.moved.length, killed, adopted: plan.adopted.length }
    return { summary, sessions: plan.state.sessions, warnings, hasChanged: plan.hasChanged }
  }

  // Of a project that cannot be reached now, what the stamps say is all there is to show.
  async #load(living: readonly LivingTerminal[]): Promise<LoadedStore> {
    try {
      return await this.store.load()
    } catch (failure) {
      const known = new Set(this.store.lastKnown.map(({ id }) => id))
      const unknown = living.map((one) => recordOf(one)).filter(({ id }) => !known.has(id))
      this.store.lastKnown = inOrder([...this.store.lastKnown, ...unknown])
      this.isUnsettled = true
      throw failure
    }
  }

  #inputOf(
    { kind, state }: LoadedStore,
    living: readonly LivingTerminal[],
    doubt: AppError | undefined
  ): Omit<ReconcileInput, 'movedAway'> {
    const { settings, seal, servers } = this.context
    const ending = state.sessions.filter(({ id }) => this.terminals.isBeingEnded(id))
    return {
      // An older generation does not know yet what is just being closed.
      state:
        kind === 'missing' || kind === 'corrupt' ? withEnded(asStamped(state, living), ending, closedNow()) : state,
      living,
      held: this.store.held,
      presenceOf: (record) => this.#presenceOf(record, doubt),
      // A file that is gone or cannot be read says nothing about what has no record.
      killOrphans: settings().orphans === 'kill' && kind === 'ok',
      end: {
        at: new Date().toISOString(),
        mostOffers: settings().max_terminals,
        reason: ({ id }) => (servers.isRebooted && !this.terminals.of(id) ? 'host-rebooted' : 'vanished')
      },
      sealOf: (record) => seal.of(record, this.terminals.place)
    }
  }

  /** Of a record without a living terminal. What ran in a pty of another process ended with that process. */
  #presenceOf(record: StoredTerminal, doubt: AppError | undefined): Presence {
    const { id, backend } = record
    if (this.terminals.isHeld(id)) return 'exists'
    if (this.terminals.isUnreadable(record)) return 'error'
    return doubt && backend === 'tmux' && !this.terminals.of(id) ? 'error' : 'missing'
  }

  async #endOrphans({ orphansToKill }: ReconcilePlan): Promise<number> {
    const ends = await Promise.allSettled(orphansToKill.map(({ stamp }) => this.terminals.end(stamp.id)))
    const failures = ends.filter((end) => end.status === 'rejected')
    if (failures.length > 0) this.isUnsettled = true
    for (const { reason } of failures) this.context.log.warn({ err: reason }, 'An orphan could not be ended')
    return ends.length - failures.length
  }

  #doubtful(asked: readonly LivingTerminal[] | AppError, { doubtful }: ReconcilePlan, doubt?: AppError): Warning[] {
    if (!doubt || (doubtful.length === 0 && !(asked instanceof AppError))) return []
    return [{ code: doubt.code, message: doubt.message }]
  }

  #warningsFor(loaded: LoadedStore, { state }: ReconcilePlan): Warning[] {
    const isRebuilt = loaded.kind === 'missing' && state.sessions.length > 0
    return isRebuilt ? [this.store.rebuiltWarning(state.sessions.length)] : this.store.warningsFor(loaded)
  }

  async #save(plan: ReconcilePlan, loaded: LoadedStore): Promise<Warning[]> {
    const isThere = loaded.kind !== 'corrupt' && (loaded.kind !== 'missing' || plan.state.sessions.length === 0)
    if (!plan.hasChanged && isThere) return []
    try {
      await this.store.save(plan.state, loaded)
      return []
    } catch (failure) {
      this.isUnsettled = true
      this.store.lastKnown = plan.state.sessions
      const { code, message } = AppError.from(failure)
      return [{ code, message }]
    }
  }
}
