import type { Access } from '../../shared/access'
import { CLOSE_GRACE_MS, MAX_CLOSING } from '../../shared/closing'
import type { TerminalId, WorkspaceKey } from '../../shared/terminal'
import type { Logger } from '../log'
import type { LeavingTerminals } from './leavingTerminals'
import { listing } from './listings'
import { findByHandle } from './terminalRecord'
import type { WorkspaceRegistry } from './workspaceRegistry'

const RETRY_MS = 5000

interface LaterCloserParts {
  registry: WorkspaceRegistry
  leaving: LeavingTerminals
  log: Logger
  changed(key: WorkspaceKey): void
  /** Ends a terminal now and takes it off its list. */
  endNow(key: WorkspaceKey, id: TerminalId): Promise<void>
  graceMs?: number | undefined
}

/**
 * Closes terminals so that it can be undone: at once they are in no list and no handle finds them, but their programs
 * end only after a while. The host sees to that itself, whatever becomes of the window that asked.
 */
export class LaterCloser {
  readonly #timers = new Map<TerminalId, NodeJS.Timeout>()
  #stopped = false

  constructor(private readonly parts: LaterCloserParts) {}

  /** Takes up what an earlier host could not end any more. */
  start(): void {
    for (const { id, dueAt } of this.parts.leaving.all()) this.#endIn(id, Math.max(0, dueAt - Date.now()))
  }

  /** False when the workspace has no such terminal. */
  async close(access: Access, key: WorkspaceKey, handle: string): Promise<boolean> {
    const { registry, leaving, changed, graceMs = CLOSE_GRACE_MS } = this.parts
    const closed = await registry.withWorkspace(access, key, async (found) => {
      const { sessions } = await listing(found)
      const session = findByHandle(sessions, handle)
      if (!session) return undefined
      leaving.add({ id: session.id, ...found.workspace.key, dueAt: Date.now() + graceMs })
      changed(found.workspace.key)
      return session.id
    })
    if (closed === undefined) return false
    this.#endIn(closed, graceMs)
    for (const { id } of leaving.all().slice(0, -MAX_CLOSING)) this.#endIn(id, 0)
    return true
  }

  /** One that is leaving could not be ended: after a while once more. */
  retry(id: TerminalId): void {
    if (!this.#stopped) this.#endIn(id, RETRY_MS)
  }

  /** Back in its place; false when it is not leaving, or is being ended already. */
  async undo(access: Access, key: WorkspaceKey, id: TerminalId): Promise<boolean> {
    const { registry, leaving, changed } = this.parts
    return registry.withWorkspace(access, key, async ({ workspace }) => {
      const isHere = leaving.all().some((one) => one.id === id && isSamePlace(one, workspace.key))
      if (!isHere || workspace.terminals.isBeingEnded(id)) return false
      clearTimeout(this.#timers.get(id))
      this.#timers.delete(id)
      leaving.delete(id)
      changed(workspace.key)
      return true
    })
  }

  /** Ends what is still waiting: it was closed, and there may be no next host. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.all(this.parts.leaving.all().map(({ id }) => this.#end(id)))
  }

  #endIn(id: TerminalId, delayMs: number): void {
    clearTimeout(this.#timers.get(id))
    const timer = setTimeout(() => void this.#end(id), delayMs)
    timer.unref()
    this.#timers.set(id, timer)
  }

  async #end(id: TerminalId): Promise<void> {
    const { leaving, log, endNow } = this.parts
    const found = leaving.all().find((one) => one.id === id)
    this.#timers.delete(id)
    if (!found) return
    try {
      await endNow({ project: found.project, session: found.session }, id)
      leaving.delete(id)
    } catch (failure) {
      log.warn({ err: failure, id }, 'A closed terminal could not be ended yet')
      this.retry(id)
    }
  }
}

function isSamePlace(one: WorkspaceKey, other: WorkspaceKey): boolean {
  return one.project === other.project && one.session === other.session
}
