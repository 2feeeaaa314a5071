import type { Bridge } from '../../../shared/ipc'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { goToType } from '../actions/goToTerminal'
import { useActionHandlers } from '../actions/registry'
import { useActivity } from '../stores/activity'
import { workspaceTabs } from '../stores/terminals'
import { workspaceId } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'

/** The way to the next terminal that waits for the person, while there is one. */
export function useNextNeedsMe(bridge: Bridge): void {
  const isNeeded = useWorkspaces(({ list }) => list?.some(({ urgent }) => urgent === 'needs-you') ?? false)
  useActionHandlers({ nextNeedsMe: isNeeded ? () => void goToNext(bridge) : undefined })
}

async function goToNext(bridge: Bridge): Promise<void> {
  const { list = [], chosen } = useWorkspaces.getState()
  const waiting = list.filter(({ urgent }) => urgent === 'needs-you')
  const found = (await Promise.all(waiting.map((workspace) => needing(bridge, workspace)))).flat()
  const current = chosen ? workspaceTabs(workspaceId(chosen)).activeTabId : null
  const next = found[found.findIndex(({ id }) => id === current) + 1] ?? found[0]
  if (next) goToType(next.workspace, next.id)
}

async function needing(
  bridge: Bridge,
  { project, session }: WorkspaceKey
): Promise<{ workspace: WorkspaceKey; id: TerminalId }[]> {
  const workspace = { project, session }
  const listed = await bridge.listTerminals(workspace)
  const { byId } = useActivity.getState()
  return (listed.ok ? listed.value : []).filter(({ id }) => byId[id]?.needsPerson).map(({ id }) => ({ workspace, id }))
}
