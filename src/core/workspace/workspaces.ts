import type { Access } from '../../shared/access'
import { AppError, type Warning } from '../../shared/errors'
import type { Settings } from '../../shared/settings'
import type {
  BackendKind,
  EndedTerminal,
  TerminalId,
  TerminalSession,
  WorkspaceKey,
  WorkspaceSummary
} from '../../shared/terminal'
import { systemProcesses } from '../backends/processTable'
import { readBootId } from '../data/bootId'
import { ownerIsRunning } from '../data/ownerLock'
import type { Logger } from '../log'
import type { Terminal } from '../terminal/terminal'
import type { Terminals } from '../terminal/terminals'
import { Idempotency } from './idempotency'
import { KnownServers } from './knownServers'
import { KnownWorkspaces } from './knownWorkspaces'
import type { PickNumber } from './names'
import { newProgram, type ProgramRequest, type ProgramSurroundings } from './newProgram'
import { noSuchProject } from './paths'
import { ProjectGate } from './projectGate'
import { quote } from './quote'
import type { ReconcileSummary } from './reconcile'
import { type ReconciledAll, reconcileAll } from './reconcileAll'
import { RecordSeal } from './recordSeal'
import { restartedProgram } from './restartedProgram'
import type { Predecessor } from './restarts'
import { TerminalLimit } from './terminalLimit'
import { findByHandle } from './terminalRecord'
import type { Listing, Workspace } from './workspace'
import { type FoundWorkspace, WorkspaceRegistry } from './workspaceRegistry'

export interface WorkspacesOptions {
  terminals: Terminals
  dataDir: string
  owner: string
  settings: () => Settings
  /** The host's own environment: what programs inherit, filtered. */
  environment: NodeJS.ProcessEnv
  log: Logger
  /** Where new programs run now; absent: in tmux. */
  backendFor?: () => BackendKind
  /** The random source of tmux names. */
  pick?: PickNumber
  /** How long a project may take to answer. */
  projectLimitMs?: number
  unsavedRetryMs?: number
}

export interface CreateRequest extends WorkspaceKey, ProgramRequest {
  name?: string | undefined
  /** Repeats of this create by the same caller with the same key share one outcome. */
  idempotency?: { caller: string; key: string } | undefined
}

export interface Created {
  record: TerminalSession
  warnings: Warning[]
}

/** All workspaces of the host, as one caller may see them: the only way to terminals for every door. */
export class Workspaces {
  readonly #options: WorkspacesOptions
  readonly #gate: ProjectGate
  readonly #known: KnownWorkspaces
  readonly #registry: WorkspaceRegistry
  readonly #placements = new Map<TerminalId, string>()
  readonly #idempotency = new Idempotency()
  readonly #listeners = new Set<(key: WorkspaceKey) => void>()
  readonly #limit: TerminalLimit
  readonly #unsubscribe: () => void

  constructor(options: WorkspacesOptions) {
    const { terminals, dataDir, owner, settings, log, pick, unsavedRetryMs } = options
    this.#options = options
    this.#gate = new ProjectGate(options.projectLimitMs)
    this.#limit = new TerminalLimit(terminals, settings)
    this.#known = new KnownWorkspaces(dataDir, log)
    const changed = (key: WorkspaceKey) => this.#changed(key)
    const seal = new RecordSeal(dataDir, log)
    const servers = new KnownServers({ dataDir, processes: systemProcesses(), bootId: readBootId(), log })
    const shared = { terminals, placements: this.#placements, settings, owner, gate: this.#gate, seal, servers, log }
    this.#registry = new WorkspaceRegistry(this.#known, { ...shared, pick, unsavedRetryMs, ownerIsRunning, changed })
    this.#unsubscribe = terminals.onChange(({ id }) => {
      const workspace = this.#workspaceOf(id)
      if (workspace) this.#changed(workspace.key)
    })
  }

  /** Takes up every living terminal and makes all known stores agree with what lives. */
  async start(): Promise<ReconcileSummary> {
    return (await this.#reconcileAll()).summary
  }

  /** The same on demand, for all projects at once; an error when it cannot be said what lives. */
  async reconcileAll(access: Access): Promise<ReconcileSummary> {
    if (access.projects !== null) {
      const hint = 'Use a token that is not limited to projects.'
      throw new AppError('UNAUTHORIZED', `Token ${quote(access.name)} may not look at all projects`, hint)
    }
    const { summary, doubt } = await this.#reconcileAll()
    if (doubt) throw doubt
    return summary
  }

  async create(access: Access, request: CreateRequest): Promise<Created> {
    const { idempotency, ...what } = request
    if (!idempotency) return this.#create(access, what)
    return this.#idempotency.run({ ...idempotency, request: JSON.stringify(what) }, () => this.#create(access, what))
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
      const made = await this.#limit.within(() => workspace.restart({ handle, program }), freed)
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

  async kill(access: Access, key: WorkspaceKey, id: string): Promise<{ success: boolean; warnings: Warning[] }> {
    return this.#registry.withWorkspace(access, key, async (found) => {
      const { sessions } = await listing(found)
      const session = findByHandle(sessions, id)
      if (!session) return { success: false, warnings: [] }
      await found.workspace.terminals.end(session.id)
      return { success: true, warnings: await found.workspace.retire([session.id]) }
    })
  }

  /** Removes a workspace: answers at once, its terminals end behind it. */
  async remove(access: Access, key: WorkspaceKey): Promise<{ success: boolean; killed: number }> {
    return this.#registry.withWorkspace(access, key, async (found) => {
      const { workspace } = found
      const { sessions } = await listing(found)
      if (!this.#known.has(workspace.key) && sessions.length === 0) return { success: false, killed: 0 }
      const living = sessions.filter(({ id }) => workspace.terminals.isHeld(id))
      for (const { id } of living) this.#endBehind(workspace, id)
      await workspace.retire(sessions.map(({ id }) => id))
      this.#attempt(() => this.#known.remove(workspace.key))
      return { success: true, killed: living.length }
    })
  }

  async summaries(access: Access): Promise<WorkspaceSummary[]> {
    await this.#registry.learn(access)
    const visible = this.#known.all().filter(({ project }) => this.#registry.isVisible(access, project))
    return Promise.all(visible.map((key) => this.#registry.withReal(key, summary)))
  }

  /** The terminal with this handle. One the caller may not see is as unknown as one that does not exist. */
  terminal(access: Access, handle: string): Terminal {
    const terminal = this.#options.terminals.byHandle(handle)
    const workspace = terminal && this.#workspaceOf(terminal.id)
    if (terminal && workspace && this.#registry.isVisible(access, workspace.key.project)) return terminal
    const hint = 'List the terminals to see their handles.'
    throw new AppError('SESSION_NOT_FOUND', `Session not found: ${quote(handle)}`, hint)
  }

  /** Where a terminal is and what it is called, whoever asks: for the audit trail, never for an answer. */
  placeOf(handle: string): (WorkspaceKey & { id: TerminalId; name: string }) | undefined {
    const terminal = this.#options.terminals.byHandle(handle)
    const workspace = terminal && this.#workspaceOf(terminal.id)
    return workspace && { ...workspace.key, id: terminal.id, name: workspace.nameOf(terminal.id) }
  }

  /** Looks up where a token's projects really are; until then `terminal` compares them as they are written. */
  learn(access: Access): Promise<void> {
    return this.#registry.learn(access)
  }

  onChange(listener: (key: WorkspaceKey) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Waits for what is under way; ends no terminal. */
  async stop(): Promise<void> {
    this.#unsubscribe()
    const stops = await Promise.allSettled(this.#registry.all().map((workspace) => workspace.stop()))
    for (const stop of stops) {
      if (stop.status === 'rejected')
        this.#options.log.warn({ err: stop.reason }, 'A store could not be saved at the end')
    }
  }

  async #create(access: Access, request: CreateRequest): Promise<Created> {
    return this.#registry.withWorkspace(access, request, async ({ workspace, available }) => {
      if (!available) throw noSuchProject(request.project)
      const program = () => newProgram(request, this.#surroundings(workspace))
      return this.#made(workspace, await this.#limit.within(() => workspace.create({ name: request.name, program })))
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

  #reconcileAll(): Promise<ReconciledAll> {
    const { terminals, log, owner } = this.#options
    return reconcileAll({ terminals, log, owner, known: this.#known, registry: this.#registry })
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

  #endBehind(workspace: Workspace, id: TerminalId): void {
    workspace.terminals.end(id).catch((failure: unknown) => {
      this.#options.log.error({ err: failure, id }, 'A terminal of a removed workspace could not be ended')
    })
  }

  #workspaceOf(id: TerminalId): Workspace | undefined {
    return this.#registry.byId(this.#placements.get(id))
  }

  #changed(key: WorkspaceKey): void {
    for (const listener of this.#listeners) listener(key)
  }
}

async function listing({ workspace, available }: FoundWorkspace): Promise<Listing> {
  return available
    ? workspace.list()
    : workspace.listUnavailable(`Project ${quote(workspace.key.project)} is not available`)
}

async function summary(workspace: Workspace): Promise<WorkspaceSummary> {
  const { sessions, available, offered } = await workspace.summarise()
  const running = sessions.filter(({ state }) => state === 'running').length
  const counts = { terminals: sessions.length, running, available }
  return { ...workspace.key, ...counts, ...(offered > 0 ? { offered } : {}) }
}
