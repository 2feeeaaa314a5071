import { create } from 'zustand'
import { needsYou } from '../../../shared/activity'
import type { Bridge } from '../../../shared/ipc'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { useActivity } from './activity'
import { coalesced } from './coalesced'
import { useWorkspaces } from './workspaces'

/** A terminal that waits for the person. */
export interface Waiting {
  workspace: WorkspaceKey
  id: TerminalId
  name: string
}

/** Every terminal that waits for the person, in the order of workspaces and tabs. */
export const useWaiting = create<{ terminals: Waiting[] }>(() => ({ terminals: [] }))

/** Keeps them in step with what the host announces. */
export function followWaiting(bridge: Bridge): () => void {
  const refresh = coalesced(async () => {
    const workspaces = (useWorkspaces.getState().list ?? []).filter(({ urgent }) => urgent === 'needs-you')
    const found = await Promise.all(workspaces.map((workspace) => waitingIn(bridge, workspace)))
    useWaiting.setState({ terminals: found.flat() })
  })
  void refresh()
  return useWorkspaces.subscribe(({ list }, before) => {
    if (list !== before.list && (isAnyUrgent(list) || isAnyUrgent(before.list))) void refresh()
  })
}

function isAnyUrgent(list: ReturnType<typeof useWorkspaces.getState>['list']): boolean {
  return list?.some(({ urgent }) => urgent === 'needs-you') ?? false
}

async function waitingIn(bridge: Bridge, { project, session }: WorkspaceKey): Promise<Waiting[]> {
  const workspace = { project, session }
  const listed = await bridge.listTerminals(workspace)
  const { byId } = useActivity.getState()
  return (listed.ok ? listed.value : [])
    .filter(({ id }) => byId[id] && needsYou(byId[id]))
    .map(({ id, name }) => ({ workspace, id, name }))
}
