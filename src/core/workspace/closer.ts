import type { Access } from '../../shared/access'
import type { Warning } from '../../shared/errors'
import type { TerminalId, WorkspaceKey } from '../../shared/terminal'
import type { OpenedBy } from '../backends/stamp'
import type { Logger } from '../log'
import type { ClosedTerminal } from './closedTerminals'
import type { KnownWorkspaces } from './knownWorkspaces'
import type { LeavingTerminals } from './leavingTerminals'
import { listing, placedTerminals } from './listings'
import { sessionNotFound, type TerminalFinder } from './terminalFinder'
import { findByHandle } from './terminalRecord'
import type { Workspace } from './workspace'
import type { WorkspaceRegistry } from './workspaceRegistry'

export interface CloseOptions {
  /** KILL at once. */
  force?: boolean
  /** Answer when every process has ended; otherwise they end behind the answer. */
  wait?: boolean
}

export interface Closing {
  /** Absent when nothing of it was held in this process. */
  closed: ClosedTerminal | undefined
  warnings: Warning[]
}

export interface CloserParts {
  registry: WorkspaceRegistry
  finder: TerminalFinder
  known: KnownWorkspaces
  openers: ReadonlyMap<TerminalId, OpenedBy>
  leaving: LeavingTerminals
  log: Logger
  /** Takes a workspace off the list of known ones. */
  forget(key: WorkspaceKey): void
  /** Tries again to end one that is leaving. */
  retry(id: TerminalId): void
}

/** All the ways in which terminals are closed. What is closed leaves every list, whether its processes hurry or not. */
export class Closer {
  constructor(private readonly parts: CloserParts) {}

  /** A terminal of one workspace; answers when its processes have ended. */
  kill(access: Access, key: WorkspaceKey, id: string): Promise<{ success: boolean; warnings: Warning[] }> {
    return this.parts.registry.withWorkspace(access, key, async (found) => {
      const { sessions } = await listing(found)
      const session = findByHandle(sessions, id)
      if (!session) return { success: false, warnings: [] }
      await found.workspace.terminals.end(session.id)
      return { success: true, warnings: await found.workspace.retire([session.id]) }
    })
  }

  /** A terminal of any workspace the caller may see. */
  async closeByHandle(access: Access, handle: string, options: CloseOptions = {}): Promise<Closing> {
    const { registry, finder } = this.parts
    await registry.learn(access)
    const living = finder.living(access, handle)
    if (!living) return this.#closeRecorded(access, handle)
    const { workspace, terminal } = living
    const [ending] = this.#endBehind(workspace, [terminal.id], options)
    const warnings = await workspace.retire([terminal.id])
    if (options.wait) await ending
    return { closed: finder.closed(access, terminal.id), warnings }
  }

  /** A terminal that may be in no list any more. */
  async endNow(key: WorkspaceKey, id: TerminalId): Promise<void> {
    await this.parts.registry.withReal(key, async (workspace) => {
      await workspace.terminals.end(id)
      await workspace.retire([id])
    })
  }

  /** A whole workspace; its terminals end behind the answer. */
  remove(access: Access, key: WorkspaceKey): Promise<{ success: boolean; killed: number }> {
    return this.parts.registry.withWorkspace(access, key, async (found) => {
      const { workspace } = found
      const { sessions } = await listing(found)
      if (!this.parts.known.has(workspace.key) && sessions.length === 0) return { success: false, killed: 0 }
      await workspace.terminals.takeUp(sessions.map(({ id }) => id))
      const { terminals } = workspace
      const killed = sessions.filter(({ id }) => terminals.isHeld(id)).length
      const present = sessions.map(({ id }) => id).filter((id) => terminals.of(id))
      this.#endBehind(workspace, present)
      await workspace.retire(sessions.map(({ id }) => id))
      this.parts.forget(workspace.key)
      return { success: true, killed }
    })
  }

  /** The terminals that were to live no longer than one bridge. */
  endEphemeral(bridge: string): number {
    const { openers, finder } = this.parts
    const ids = [...openers].filter(([, { ephemeralOf }]) => ephemeralOf === bridge).map(([id]) => id)
    for (const id of ids) {
      const workspace = finder.workspaceOf(id)
      if (!workspace || workspace.terminals.isBeingEnded(id)) continue
      this.#endBehind(workspace, [id])
      void workspace.retire([id])
    }
    return ids.length
  }

  /** The bridges for which there are such terminals. */
  ephemeralBridges(): string[] {
    return [...new Set([...this.parts.openers.values()].flatMap(({ ephemeralOf }) => ephemeralOf ?? []))]
  }

  // Not held by this process: closed already, or lost, or its project is not there now.
  async #closeRecorded(access: Access, handle: string): Promise<Closing> {
    const { finder, registry, known } = this.parts
    const closed = finder.closed(access, handle)
    if (closed) return { closed, warnings: [] }
    for (const key of known.all().filter(({ project }) => registry.isVisible(access, project))) {
      const found = findByHandle(await registry.withReal(key, placedTerminals), handle)
      if (found) return { closed: undefined, warnings: (await this.kill(access, key, found.id)).warnings }
    }
    throw sessionNotFound(handle)
  }

  /** Written down first: a host that is killed before they have ended leaves it to the next one. */
  #endBehind(workspace: Workspace, ids: readonly TerminalId[], options?: CloseOptions): Promise<void>[] {
    const { leaving } = this.parts
    const dueAt = Date.now()
    leaving.add(...ids.map((id) => ({ id, ...workspace.key, dueAt })))
    return ids.map((id) => {
      const ending = workspace.terminals.end(id, options)
      // Nobody may be waiting for it yet when it fails.
      ending.then(() => leaving.delete(id)).catch((failure: unknown) => this.#notEnded(id, failure))
      return ending
    })
  }

  #notEnded(id: TerminalId, failure: unknown): void {
    this.parts.log.error({ err: failure, id }, 'A terminal that was closed could not be ended')
    this.parts.retry(id)
  }
}
