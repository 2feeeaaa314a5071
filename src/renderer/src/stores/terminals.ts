import { create } from 'zustand'
import type { AppError } from '../../../shared/errors'
import type { TerminalId, TerminalSession } from '../../../shared/terminal'

export interface WorkspaceTabs {
  tabs: TerminalSession[]
  activeTabId: TerminalId | null
  isLoading: boolean
  error: AppError | null
}

export const NO_TABS: WorkspaceTabs = { tabs: [], activeTabId: null, isLoading: true, error: null }

/** What the tabs of each visited workspace show. Terminal bytes never enter a store: they go straight to xterm. */
export const useTerminals = create<{ byWorkspace: Record<string, WorkspaceTabs> }>(() => ({ byWorkspace: {} }))

export function workspaceTabs(workspace: string): WorkspaceTabs {
  return useTerminals.getState().byWorkspace[workspace] ?? NO_TABS
}

export function putWorkspaceTabs(workspace: string, change: Partial<WorkspaceTabs>): void {
  useTerminals.setState(({ byWorkspace }) => ({
    byWorkspace: { ...byWorkspace, [workspace]: { ...(byWorkspace[workspace] ?? NO_TABS), ...change } }
  }))
}
