import { create } from 'zustand'
import type { TerminalId } from '../../../shared/terminal'
import type { SplitNode } from '../panes/layout'
import { readSplits } from '../panes/readSplits'
import { recall, remember } from './memory'

/** How a person has arranged one workspace. */
export interface WorkspaceArrangement {
  /** Terminals that are shown together; a terminal is in one of them at most. */
  splits: SplitNode[]
  /** Of the split that is shown, only the active pane. */
  isZoomed: boolean
  /** The terminals in the order they were last looked at, newest first. */
  recent: TerminalId[]
}

const MAX_RECENT = 100

/** How the visited workspaces are arranged. */
export const useViews = create<{ byWorkspace: Record<string, WorkspaceArrangement> }>(() => ({ byWorkspace: {} }))

/** What was remembered holds until something is changed. */
export function arrangement(workspace: string): WorkspaceArrangement {
  return useViews.getState().byWorkspace[workspace] ?? read(workspace)
}

export function arrange(workspace: string, change: Partial<WorkspaceArrangement>): void {
  const next = { ...arrangement(workspace), ...change }
  useViews.setState(({ byWorkspace }) => ({ byWorkspace: { ...byWorkspace, [workspace]: next } }))
  remember(`view ${workspace}`, next)
}

export function lookedAt(workspace: string, id: TerminalId): void {
  const { recent } = arrangement(workspace)
  if (recent[0] === id) return
  arrange(workspace, { recent: [id, ...recent.filter((other) => other !== id)].slice(0, MAX_RECENT) })
}

const readOnce = new Map<string, WorkspaceArrangement>()

// The same object each time: a component that looks at it must not see a change where there is none.
function read(workspace: string): WorkspaceArrangement {
  const known = readOnce.get(workspace)
  if (known) return known
  const { splits, isZoomed, recent } = recall(`view ${workspace}`)
  const ids = Array.isArray(recent) ? recent.filter((id) => typeof id === 'string') : []
  const made = { splits: readSplits(splits), isZoomed: isZoomed === true, recent: ids.slice(0, MAX_RECENT) }
  readOnce.set(workspace, made)
  return made
}
