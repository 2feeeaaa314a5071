import { AppError } from '../../shared/errors'
import type { WorkspaceKey } from '../../shared/terminal'
import type { LivingTerminal } from '../backends/backend'
import type { OpenedBy } from '../backends/stamp'
import type { Terminal } from '../terminal/terminal'
import { firstOffset } from './offsetRanges'
import { projectHashOf, workspaceIdOf } from './paths'
import { quote } from './quote'
import type { SealedPlace } from './recordSeal'
import { type Program, startTerminal } from './startTerminal'
import type { StoredTerminal } from './storeState'
import { stampOf } from './terminalRecord'
import type { WorkspaceContext } from './workspaceContext'

/**
 * The living side of one workspace. Only a stamp with this owner, project and session proves that a terminal belongs
 * here; a record whose id was never proved is never acted on.
 */
export class WorkspaceTerminals {
  readonly projectHash: string
  readonly workspaceId: string
  readonly #ending = new Map<string, Promise<void>>()

  constructor(
    private readonly key: WorkspaceKey,
    private readonly context: WorkspaceContext,
    /** What is last known of a terminal. */
    private readonly recordOf: (id: string) => StoredTerminal | undefined
  ) {
    this.projectHash = projectHashOf(key.project)
    this.workspaceId = workspaceIdOf(this.projectHash, key.session)
  }

  /** Where the records of this workspace belong. */
  get place(): SealedPlace {
    return { projectHash: this.projectHash, session: this.key.session }
  }

  of(id: string): Terminal | undefined {
    const { placements, terminals } = this.context
    return placements.get(id) === this.workspaceId ? terminals.byId(id) : undefined
  }

  /** Held by this process, and not proved gone. */
  isHeld(id: string): boolean {
    const terminal = this.of(id)
    return terminal !== undefined && terminal.state !== 'lost'
  }

  /** Whether one is held here that these records do not know: a damaged or foreign file may look whole. */
  hasUnrecorded(records: readonly StoredTerminal[]): boolean {
    const recorded = new Set(records.map(({ id }) => id))
    return [...this.context.placements].some(
      ([id, place]) => place === this.workspaceId && !recorded.has(id) && !this.#ending.has(id) && this.isHeld(id)
    )
  }

  /** What lives everywhere, without what somebody was ending when it was asked. Throws on doubt. */
  async listLiving(): Promise<LivingTerminal[]> {
    const ending = new Set(this.#ending.keys())
    const living = await this.context.terminals.listLiving()
    return living.filter(({ stamp: { id } }) => !ending.has(id))
  }

  /** Its session lives, as was seen last, although it does not say any more whose it is. */
  isUnreadable({ backend, tmuxSession }: StoredTerminal): boolean {
    return backend === 'tmux' && this.context.terminals.unreadable().includes(tmuxSession)
  }

  /** Of living terminals, those of this workspace that nobody is ending. */
  mine(living: readonly LivingTerminal[]): LivingTerminal[] {
    return living.filter(({ stamp }) => this.#isMine(stamp) && !this.#ending.has(stamp.id))
  }

  /** Of living terminals, those that were moved to another session of the project. */
  movedAway(living: readonly LivingTerminal[]): ReadonlySet<string> {
    const { owner } = this.context
    const isOfProject = ({ stamp }: LivingTerminal) => stamp.owner === owner && stamp.projectHash === this.projectHash
    const moved = living.filter((one) => isOfProject(one) && one.stamp.session !== this.key.session)
    return new Set(moved.map(({ stamp }) => stamp.id))
  }

  // A stamp that contradicts itself proves nothing.
  #isMine({ owner, project, projectHash, session }: LivingTerminal['stamp']): boolean {
    if (owner !== this.context.owner || project !== this.key.project) return false
    return workspaceIdOf(projectHash, session) === this.workspaceId
  }

  async start(record: StoredTerminal, program: Program, taken: ReadonlySet<string>): Promise<Terminal> {
    const stamp = this.#stampOf(record)
    const { terminals, pick } = this.context
    const beginsAt = firstOffset(record.restarts)
    const terminal = await startTerminal(terminals, {
      program,
      stamp,
      tmuxSession: record.tmuxSession,
      taken,
      pick,
      beginsAt
    })
    this.#place(record.id, record.openedBy)
    this.context.closed.forget(record.id)
    this.context.leaving.delete(record.id)
    await this.noteServer()
    return terminal
  }

  /** An empty answer of this tmux server says nothing about what lives in an earlier one that still runs. */
  async serverElsewhere(): Promise<AppError | undefined> {
    const { terminals, servers } = this.context
    const server = terminals.keeper()
    const other = server && (await servers.elsewhere(server))
    if (!other) return undefined
    const hint = 'Start Tandem with the same TANDEM_TMUX_SOCKET as before, or end that server.'
    return new AppError('TMUX_UNAVAILABLE', `Terminals may still live in the tmux server with pid ${other.pid}`, hint)
  }

  /** Remembers which tmux server holds what lives now, for the hosts to come. */
  async noteServer(): Promise<void> {
    const { terminals, servers } = this.context
    const server = terminals.keeper()
    if (server) await servers.saw(server)
  }

  /** Takes up what lives; false when one of them could not be, and its state is therefore not known. */
  async adopt(living: readonly LivingTerminal[]): Promise<boolean> {
    const taken = await Promise.all(living.map((one) => this.#adoptOne(one)))
    return taken.every(Boolean)
  }

  async #adoptOne(living: LivingTerminal): Promise<boolean> {
    const { terminals, log } = this.context
    const { id } = living.stamp
    this.#placeLiving(living)
    if (terminals.byId(id)) return true
    try {
      await terminals.adopt(living)
      return true
    } catch (failure) {
      log.warn({ err: failure, id, tmuxSession: living.tmuxSession }, 'A living terminal could not be taken up')
      return false
    }
  }

  /** Ends a terminal's processes, also where tmux has lost it. Throws on doubt. */
  end(id: string, options?: { force?: boolean }): Promise<void> {
    const underWay = this.#ending.get(id)
    if (underWay) return underWay
    const ending = this.#endNow(id, options).finally(() => this.#ending.delete(id))
    this.#ending.set(id, ending)
    return ending
  }

  async #endNow(id: string, options?: { force?: boolean }): Promise<void> {
    this.#keepClosed(id)
    await this.takeUp([id])
    const terminal = this.of(id)
    if (terminal?.state === 'lost') await this.#endLost(terminal, options)
    else await terminal?.kill(options)
    this.discard(id)
  }

  // It has nothing in tmux any more, so that trouble there is no doubt; what ignored the hang-up may still run.
  async #endLost(terminal: Terminal, options?: { force?: boolean }): Promise<void> {
    try {
      await terminal.kill(options)
    } catch (failure) {
      const { code } = AppError.from(failure)
      if (!code.startsWith('TMUX_') && code !== 'SESSION_ERROR') throw failure
      this.context.log.debug({ err: failure, id: terminal.id }, 'tmux could not be asked about a lost terminal')
    }
  }

  /** Of these terminals, what lives is held afterwards, and what is not held is proved gone. Throws on doubt. */
  async takeUp(ids: readonly string[]): Promise<void> {
    const unheld = ids.filter((id) => !this.of(id))
    if (unheld.length === 0) return
    const found = await Promise.all(unheld.map((id) => this.findLiving(id)))
    const doubt = found.includes(undefined) && ((await this.serverElsewhere()) ?? this.#unreadable(unheld))
    if (doubt) throw doubt
  }

  #unreadable(ids: readonly string[]): AppError | undefined {
    const record = ids.flatMap((id) => this.recordOf(id) ?? []).find((known) => this.isUnreadable(known))
    if (!record) return undefined
    const hint = `End its session ${quote(record.tmuxSession)} in tmux, or mend its options there.`
    return new AppError('SESSION_ERROR', `What tmux says of ${quote(record.name)} cannot be understood`, hint)
  }

  #keepClosed(id: string): void {
    const terminal = this.of(id)
    if (terminal) this.context.closed.keep(terminal, { ...this.key, name: this.recordOf(id)?.name ?? '' })
  }

  #place(id: string, openedBy: OpenedBy | undefined): void {
    const { placements, openers } = this.context
    placements.set(id, this.workspaceId)
    if (openedBy) openers.set(id, openedBy)
  }

  #placeLiving({ stamp: { id, openedBy, attempt } }: LivingTerminal): void {
    this.#place(id, openedBy)
    this.context.attempts.found(id, attempt)
  }

  /** The terminal as the backend knows it, which sees one tmux server only; throws when it cannot say. */
  async findLiving(id: string): Promise<Terminal | undefined> {
    const { terminals } = this.context
    const living = (await terminals.listLiving()).find(({ stamp }) => stamp.id === id && this.#isMine(stamp))
    if (!living) return undefined
    this.#placeLiving(living)
    return await terminals.adopt(living)
  }

  /** Lets go of a terminal that is ended or proved gone. */
  discard(id: string): void {
    const terminal = this.of(id)
    if (terminal?.state === 'lost') {
      terminal
        .detach()
        .catch((failure: unknown) => this.context.log.debug({ err: failure, id }, 'A lost terminal was let go'))
    }
    if (this.context.placements.get(id) !== this.workspaceId) return
    this.#keepClosed(id)
    this.context.terminals.forget(id)
    this.context.placements.delete(id)
    this.context.openers.delete(id)
    this.context.attempts.forget(id)
  }

  /** Makes a living terminal of another workspace one of this. */
  async takeOver(record: StoredTerminal): Promise<void> {
    await this.context.terminals.byId(record.id)?.restamp(this.#stampOf(record))
    this.context.placements.set(record.id, this.workspaceId)
  }

  /** After a move that failed: it is here again, whatever its stamp can be told now. */
  async takeBack(record: StoredTerminal): Promise<void> {
    this.context.placements.set(record.id, this.workspaceId)
    await this.#restampOne(record)
  }

  /** Tells living terminals their new name and order. The store is the truth, so trouble here is only logged. */
  async restamp(before: readonly StoredTerminal[], after: readonly StoredTerminal[]): Promise<void> {
    const stamped = new Map(before.map((record) => [record.id, record]))
    const differing = after.filter(({ id, name, order }) => {
      const old = stamped.get(id)
      return old !== undefined && (old.name !== name || old.order !== order)
    })
    await Promise.all(differing.map((record) => this.#restampOne(record)))
  }

  async #restampOne(record: StoredTerminal): Promise<void> {
    try {
      if (this.isHeld(record.id)) await this.of(record.id)?.restamp(this.#stampOf(record))
    } catch (failure) {
      this.context.log.warn({ err: failure, id: record.id }, 'A stamp could not be updated')
    }
  }

  #stampOf(record: StoredTerminal) {
    const { owner, attempts } = this.context
    return stampOf({ owner, key: this.key, projectHash: this.projectHash, record, attempt: attempts.of(record.id) })
  }

  async whenEnded(): Promise<void> {
    await Promise.allSettled(this.#ending.values())
  }

  isBeingEnded(id: string): boolean {
    return this.#ending.has(id)
  }

  get isEnding(): boolean {
    return this.#ending.size > 0
  }
}
