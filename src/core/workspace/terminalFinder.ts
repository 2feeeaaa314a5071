import type { Access } from '../../shared/access'
import { AppError } from '../../shared/errors'
import type { TerminalId, WorkspaceKey } from '../../shared/terminal'
import type { Terminal } from '../terminal/terminal'
import type { Terminals } from '../terminal/terminals'
import type { ClosedTerminal, ClosedTerminals } from './closedTerminals'
import type { LeavingTerminals } from './leavingTerminals'
import { quote } from './quote'
import { findByHandle } from './terminalRecord'
import type { Workspace } from './workspace'
import type { WorkspaceRegistry } from './workspaceRegistry'

export interface TerminalFinderParts {
  terminals: Terminals
  placements: ReadonlyMap<TerminalId, string>
  registry: WorkspaceRegistry
  closed: ClosedTerminals
  leaving: LeavingTerminals
}

/** Finds terminals by any handle. One the caller may not see is as unknown as one that does not exist. */
export class TerminalFinder {
  constructor(private readonly parts: TerminalFinderParts) {}

  workspaceOf(id: TerminalId): Workspace | undefined {
    return this.parts.registry.byId(this.parts.placements.get(id))
  }

  /** Held by this process and not being closed. */
  living(access: Access, handle: string): { terminal: Terminal; workspace: Workspace } | undefined {
    const terminal = this.parts.terminals.byHandle(handle)
    const workspace = terminal && this.workspaceOf(terminal.id)
    const { leaving } = this.parts
    if (!workspace || leaving.has(terminal.id) || workspace.terminals.isBeingEnded(terminal.id)) return undefined
    return this.parts.registry.isVisible(access, workspace.key.project) ? { terminal, workspace } : undefined
  }

  closed(access: Access, handle: string): ClosedTerminal | undefined {
    if (this.living(access, handle)) return undefined
    const closed = this.parts.closed.byHandle(handle)
    return closed && this.parts.registry.isVisible(access, closed.project) ? closed : undefined
  }

  /** SESSION_DESTROYED for one that was closed, SESSION_ERROR for one that is only listed, SESSION_NOT_FOUND for the others. */
  terminal(access: Access, handle: string): Terminal {
    const living = this.living(access, handle)
    if (living) return living.terminal
    if (this.closed(access, handle) || this.#isLeaving(access, handle)) throw sessionDestroyed(handle)
    if (this.#isListed(access, handle)) throw notHeld(handle)
    throw sessionNotFound(handle)
  }

  // Lost, or not known now: whoever is told that there is no such terminal opens a second one.
  #isListed(access: Access, handle: string): boolean {
    const { registry } = this.parts
    const visible = registry.all().filter(({ key }) => registry.isVisible(access, key.project))
    return visible.some(({ listed }) => findByHandle(listed, handle) !== undefined)
  }

  #isLeaving(access: Access, handle: string): boolean {
    const terminal = this.parts.terminals.byHandle(handle)
    const workspace = terminal && this.workspaceOf(terminal.id)
    if (!workspace || !this.parts.leaving.has(terminal.id)) return false
    return this.parts.registry.isVisible(access, workspace.key.project)
  }

  placeOf(handle: string): (WorkspaceKey & { id: TerminalId; name: string }) | undefined {
    const terminal = this.parts.terminals.byHandle(handle)
    const workspace = terminal && this.workspaceOf(terminal.id)
    return workspace && { ...workspace.key, id: terminal.id, name: workspace.recordOf(terminal.id)?.name ?? '' }
  }
}

export function sessionNotFound(handle: string): AppError {
  const hint = 'List the terminals to see their handles.'
  return new AppError('SESSION_NOT_FOUND', `Session not found: ${quote(handle)}`, hint)
}

function notHeld(handle: string): AppError {
  const hint = 'List the terminals to see its state; it may come back by itself.'
  return new AppError('SESSION_ERROR', `Session is lost, or not known now: ${quote(handle)}`, hint)
}

export function sessionDestroyed(handle: string): AppError {
  return new AppError('SESSION_DESTROYED', `Session already destroyed: ${quote(handle)}`, 'Open a new terminal.')
}
