import type { Access } from '../../shared/access'
import { AppError, type Warning } from '../../shared/errors'
import type { Settings } from '../../shared/settings'
import type { EndedTerminal, TerminalId, TerminalSession, WorkspaceKey, WorkspaceSummary } from '../../shared/terminal'
import { systemProcesses } from '../backends/processTable'
import type { AttemptMark, OpenedBy } from '../backends/stamp'
import { readBootId } from '../data/bootId'
import { ownerIsRunning } from '../data/ownerLock'
import type { ActivityWatch } from '../terminal/activityWatch'
import type { Terminal } from '../terminal/terminal'
import { AttemptMarks } from './attemptMarks'
import { type ClosedTerminal, ClosedTerminals } from './closedTerminals'
import { type CloseOptions, Closer, type Closing } from './closer'
import type { Created, CreateRequest } from './createRequest'
import { Idempotency } from './idempotency'
import { KnownServers } from './knownServers'
import { KnownWorkspaces } from './knownWorkspaces'
import { LaterCloser } from './laterCloser'
import { LeavingTerminals } from './leavingTerminals'
import { listing, type PlacedTerminal, placedTerminals, summary } from './listings'
import { Mover } from './mover'
import { newProgram, type ProgramSurroundings } from './newProgram'
import { noSuchProject } from './paths'
import { type AnywhereRequest, placeTerminal } from './placeTerminal'
import { ProjectGate } from './projectGate'
import { quote } from './quote'
import type { ReconcileSummary } from './reconcile'
import { Reconciliation } from './reconciliation'
import { RecordSeal } from './recordSeal'
import { restartedProgram } from './restartedProgram'
import type { Predecessor } from './restarts'
import { Scripts } from './scripts'
import { sessionDestroyed, TerminalFinder } from './terminalFinder'
import { TerminalLimit } from './terminalLimit'
import type { Workspace } from './workspace'
import { WorkspaceRegistry } from './workspaceRegistry'
import type { WorkspacesOptions } from './workspacesOptions'

/** All workspaces of the host, as one caller may see them: the only way to terminals for every door. */
export class Workspaces {
  readonly #options: WorkspacesOptions
  readonly #gate: ProjectGate
  readonly #known: KnownWorkspaces
  readonly #registry: WorkspaceRegistry
  readonly #placements = new Map<TerminalId, string>()
  readonly #openers = new Map<TerminalId, OpenedBy>()
  readonly #attempts = new AttemptMarks()
  readonly #closed = new ClosedTerminals()
  readonly #finder: TerminalFinder
  readonly #closer: Closer
  readonly #reconciliation: Reconciliation
  /** Closing that can be undone for a while. */
  readonly later: LaterCloser
  readonly mover: Mover
  readonly scripts: Scripts
  readonly #idempotency = new Idempotency()
  readonly #listeners = new Set<(key: WorkspaceKey) => void>()
  readonly #limit: TerminalLimit
  readonly #unsubscribe: () => void

  constructor(options: WorkspacesOptions) {
    const { terminals, dataDir, owner, settings, log, pick, unsavedRetryMs } = options
    this.#options = options
    this.#gate = new ProjectGate(options.projectLimitMs)
    this.#limit = new TerminalLimit(terminals, settings, this.#openers)
    this.#known = new KnownWorkspaces(dataDir, log)
    const changed = (key: WorkspaceKey) => this.#changed(key)
    const seal = new RecordSeal(dataDir, log)
    const servers = new KnownServers({ dataDir, processes: systemProcesses(), bootId: readBootId(), log })
    const leaving = new LeavingTerminals(dataDir, log)
    const held = { terminals, placements: this.#placements, openers: this.#openers, closed: this.#closed, leaving }
    const shared = { ...held, attempts: this.#attempts, settings, owner, gate: this.#gate, seal, servers, log }
    this.#registry = new WorkspaceRegistry(this.#known, { ...shared, pick, unsavedRetryMs, ownerIsRunning, changed })
    this.#finder = new TerminalFinder({ ...held, registry: this.#registry })
    this.scripts = new Scripts(this.#finder, this.#gate)
    const forget = (key: WorkspaceKey) => void this.#attempt(() => this.#known.remove(key))
    const closing = { ...shared, registry: this.#registry, finder: this.#finder, known: this.#known, forget }
    this.#closer = new Closer({ ...closing, retry: (id) => this.later.retry(id) })
    const { lookAgainMs } = options
    this.#reconciliation = new Reconciliation({ ...closing, lookAgainMs })
    const endNow = (key: WorkspaceKey, id: TerminalId) => this.#closer.endNow(key, id)
    this.later = new LaterCloser({ ...closing, changed, endNow, graceMs: options.closeGraceMs })
    this.mover = new Mover({ ...closing, note: (key) => void this.#attempt(() => this.#known.add(key)) })
    this.#unsubscribe = terminals.onChange(({ id }) => {
      const workspace = this.#finder.workspaceOf(id)
      if (workspace) this.#changed(workspace.key)
    })
  }

  get activity(): ActivityWatch {
    return this.#options.terminals.activity
  }

  get settings(): Settings {
    return this.#options.settings()
  }

  /** Takes up every living terminal and makes all known stores agree with what lives. */
  async start(): Promise<ReconcileSummary> {
    const { summary } = await this.#reconciliation.run()
    this.later.start()
    return summary
  }

  /** The same on demand, for all projects at once; an error when it cannot be said what lives. */
  async reconcileAll(access: Access): Promise<ReconcileSummary> {
    if (access.projects !== null) {
      const hint = 'Use a token that is not limited to projects.'
      throw new AppError('UNAUTHORIZED', `Token ${quote(access.name)} may not look at all projects`, hint)
    }
    const { summary, doubt } = await this.#reconciliation.run()
    if (doubt) throw doubt
    return summary
  }

  async create(access: Access, request: CreateRequest): Promise<Created> {
    const { idempotency, ...what } = request
    if (!idempotency) return this.#create(access, what)
    const attempt = { ...idempotency, request: JSON.stringify(what) }
    return this.#idempotency.run(attempt, (mark) => this.#create(access, what, mark))
  }

  /** A terminal whose workspace is found by where it starts, and which knows who opened it. */
  async createAnywhere(access: Access, request: AnywhereRequest): Promise<Created & { place: WorkspaceKey }> {
    await this.#registry.learn(access)
    const { environment } = this.#options
    const isVisible = (project: string) => this.#registry.isVisible(access, project)
    const created = await this.create(
      access,
      await placeTerminal(request, { environment, gate: this.#gate, isVisible })
    )
    const place = this.#finder.workspaceOf(created.record.id)?.key
    if (!place) throw sessionDestroyed(created.record.id)
    return { ...created, place }
  }

  async list(access: Access, key: WorkspaceKey): Promise<{ sessions: TerminalSession[]; warnings: Warning[] }> {
    const { sessions, warnings } = await this.#registry.withWorkspace(access, key, listing)
    return { sessions, warnings }
  }

  /** Starts a terminal again that is over, as it was; never one that runs or may run. */
  async restart(access: Access, key: WorkspaceKey, handle: string): Promise<Created> {
    return this.#registry.withWorkspace(access, key, async ({ workspace, available }) => {
      if (!available) throw noSuchProject(key.project)
      const surroundings = this.#surroundings(workspace)
      const program = (predecessor: Predecessor) => restartedProgram(predecessor, surroundings)
      // One that is still listed takes no more room than before.
      const freed = this.#options.terminals.byHandle(handle) ? 1 : 0
      const made = await this.#limit.within(() => workspace.restart({ handle, program }), { freed })
      return this.#made(workspace, made)
    })
  }

  /** What is over and can be started again, newest first. */
  async ended(access: Access, key: WorkspaceKey): Promise<{ ended: EndedTerminal[]; warnings: Warning[] }> {
    return this.#registry.withWorkspace(access, key, async (found) => {
      const { warnings } = await listing(found)
      return { ended: found.available ? await found.workspace.ended() : [], warnings }
    })
  }

  /** Ended terminals that are no longer offered; they can still be started again by their handle. */
  forgetEnded(access: Access, key: WorkspaceKey, ids: readonly string[]): Promise<number> {
    return this.#registry.withWorkspace(access, key, ({ workspace }) => workspace.forgetEnded(ids))
  }

  /** False when the workspace has no such terminal. */
  rename(access: Access, key: WorkspaceKey, id: string, name: string): Promise<boolean> {
    return this.#registry.withWorkspace(access, key, ({ workspace }) => workspace.rename(id, name))
  }

  reorder(access: Access, key: WorkspaceKey, orderedIds: readonly string[]): Promise<void> {
    return this.#registry.withWorkspace(access, key, ({ workspace }) => workspace.reorder(orderedIds))
  }

  kill(access: Access, key: WorkspaceKey, id: string): Promise<{ success: boolean; warnings: Warning[] }> {
    return this.#closer.kill(access, key, id)
  }

  /** Closes a terminal, whichever workspace it is in; one that is closed already stays so. */
  closeByHandle(access: Access, handle: string, options?: CloseOptions): Promise<Closing> {
    return this.#closer.closeByHandle(access, handle, options)
  }

  /** Removes a workspace: answers at once, its terminals end behind it. */
  remove(access: Access, key: WorkspaceKey): Promise<{ success: boolean; killed: number }> {
    return this.#closer.remove(access, key)
  }

  /** Ends every terminal that was to live no longer than the bridge that opened it; how many there were. */
  endEphemeral(bridge: string): number {
    return this.#closer.endEphemeral(bridge)
  }

  /** The bridges for which there are such terminals. */
  ephemeralBridges(): string[] {
    return this.#closer.ephemeralBridges()
  }

  /** Every terminal the caller may see, in every workspace. */
  async listAll(access: Access): Promise<PlacedTerminal[]> {
    await this.#registry.learn(access)
    const visible = this.#known.all().filter(({ project }) => this.#registry.isVisible(access, project))
    const lists = await Promise.all(visible.map((key) => this.#registry.withReal(key, placedTerminals)))
    return lists.flat()
  }

  async summaries(access: Access): Promise<WorkspaceSummary[]> {
    await this.#registry.learn(access)
    const visible = this.#known.all().filter(({ project }) => this.#registry.isVisible(access, project))
    return Promise.all(visible.map((key) => this.#registry.withReal(key, summary)))
  }

  /** The terminal with this handle; SESSION_DESTROYED once it was closed, SESSION_ERROR or SESSION_NOT_FOUND when it is not here. */
  terminal(access: Access, handle: string): Terminal {
    return this.#finder.terminal(access, handle)
  }

  /** What is left of a terminal that was closed; the newest ones still have their output. */
  closed(access: Access, handle: string): ClosedTerminal | undefined {
    return this.#finder.closed(access, handle)
  }

  /** Where a terminal is and what it is called, whoever asks: for the audit trail, never for an answer. */
  placeOf(handle: string): (WorkspaceKey & { id: TerminalId; name: string }) | undefined {
    return this.#finder.placeOf(handle)
  }

  /** Looks up where a token's projects really are; until then `terminal` compares them as they are written. */
  learn(access: Access): Promise<void> {
    return this.#registry.learn(access)
  }

  onChange(listener: (key: WorkspaceKey) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Waits for what is under way; ends no terminal but those that were closed. */
  async stop(): Promise<void> {
    this.#reconciliation.stop()
    await this.later.stop()
    this.#unsubscribe()
    const stops = await Promise.allSettled(this.#registry.all().map((workspace) => workspace.stop()))
    for (const stop of stops) {
      if (stop.status === 'rejected')
        this.#options.log.warn({ err: stop.reason }, 'A store could not be saved at the end')
    }
  }

  async #create(access: Access, request: CreateRequest, attempt?: AttemptMark): Promise<Created> {
    return this.#registry.withWorkspace(access, request, async ({ workspace, available }) => {
      if (!available) throw noSuchProject(request.project)
      const program = () => newProgram(request, this.#surroundings(workspace))
      const { name, openedBy } = request
      const make = () => this.#limit.within(() => workspace.create({ name, openedBy, attempt, program }), { openedBy })
      return this.#made(workspace, await this.#attempts.once(attempt, workspace, make))
    })
  }

  #made(workspace: Workspace, { record, warnings }: Created): Created {
    const unwritten = this.#attempt(() => this.#known.add(workspace.key))
    return { record, warnings: [...warnings, ...unwritten, ...this.#backendWarning()] }
  }

  #surroundings({ key }: Workspace): ProgramSurroundings {
    const { settings, environment } = this.#options
    return { project: key.project, settings: settings(), environment, gate: this.#gate }
  }

  // The list of known workspaces only says where to look at the next start; stamps say it too.
  #attempt(write: () => void): Warning[] {
    try {
      write()
      return []
    } catch (failure) {
      const message = `The list of known workspaces could not be written: ${AppError.from(failure).message}`
      this.#options.log.warn({ err: failure }, message)
      return [{ code: 'STORE_WRITE_FAILED', message }]
    }
  }

  #backendWarning(): Warning[] {
    const { backendFor, settings } = this.#options
    if (settings().backend !== 'auto' || backendFor?.() !== 'pty') return []
    return [{ code: 'TMUX_UNAVAILABLE', message: 'tmux is not there: this terminal ends with the host.' }]
  }

  #changed(key: WorkspaceKey): void {
    for (const listener of this.#listeners) listener(key)
  }
}
