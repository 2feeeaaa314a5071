import type { TerminalId, TerminalSession, WorkspaceKey } from '../../../shared/terminal'
import { goToType } from '../actions/goToTerminal'
import { useActionHandlers } from '../actions/registry'
import { markOf, useActivity } from '../stores/activity'
import { useTerminals, workspaceTabs } from '../stores/terminals'
import { useWaiting } from '../stores/waiting'
import { workspaceId } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'

interface Place {
  workspace: WorkspaceKey
  id: TerminalId
}

/** The way to the next terminal that waits for the person, else to one whose work has ended unseen. */
export function useNextNeedsMe(): void {
  const isNeeded = useWaiting(({ terminals }) => terminals.length > 0)
  const isDone = useActivity(() => finishedUnseen().length > 0)
  useActionHandlers({ nextNeedsMe: isNeeded || isDone ? goToNext : undefined })
}

function goToNext(): void {
  const { chosen } = useWorkspaces.getState()
  const current = chosen ? workspaceTabs(workspaceId(chosen)).activeTabId : null
  const waiting: Place[] = useWaiting.getState().terminals
  const found = waiting.length > 0 ? waiting : finishedUnseen()
  const next = found[found.findIndex(({ id }) => id === current) + 1] ?? found[0]
  if (next) goToType(next.workspace, next.id)
}

/** Output alone is no reason to go anywhere; work that is done or has failed is. */
function finishedUnseen(): Place[] {
  const { byWorkspace } = useTerminals.getState()
  return (useWorkspaces.getState().list ?? []).flatMap(({ project, session }) => {
    const workspace = { project, session }
    const tabs = byWorkspace[workspaceId(workspace)]?.tabs ?? []
    return tabs.filter(isFinished).map(({ id }) => ({ workspace, id }))
  })
}

function isFinished(tab: TerminalSession): boolean {
  const { byId, seen } = useActivity.getState()
  const mark = markOf(tab, byId[tab.id], seen[tab.id])
  return tab.state === 'running' && (mark === 'done' || mark === 'failed')
}
