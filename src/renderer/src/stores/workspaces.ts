import { create } from 'zustand'
import type { Bridge, HostInfo } from '../../../shared/ipc'
import type { WorkspaceKey, WorkspaceSummary } from '../../../shared/terminal'
import { coalesced } from './coalesced'
import { rememberedWorkspace, rememberWorkspace } from './remembered'
import { showError, showNotice } from './toasts'
import { workspaceId } from './workspaceId'

interface WorkspacesState {
  /** Undefined until the host answered for the first time. */
  list: WorkspaceSummary[] | undefined
  host: HostInfo | undefined
  chosen: WorkspaceKey | undefined
}

const DEFAULT_SESSION = 'default'

/** Which workspaces there are and which one the person looks at. */
export const useWorkspaces = create<WorkspacesState>(() => ({ list: undefined, host: undefined, chosen: undefined }))

export function chooseWorkspace(workspace: WorkspaceKey): void {
  const { project, session } = workspace
  rememberWorkspace(workspace)
  useWorkspaces.setState({ chosen: { project, session } })
}

/** Asks the host what there is; on the first answer it chooses the workspace of the last visit, else the first one. */
export async function loadWorkspaces(bridge: Bridge): Promise<void> {
  const [host, list] = await Promise.all([bridge.hostInfo(), bridge.listWorkspaces()])
  if (!host.ok) return showError(host.error)
  if (!list.ok) return showError(list.error)
  const first = useWorkspaces.getState().host === undefined
  useWorkspaces.setState({ host: host.value, list: list.value })
  if (first) for (const notice of host.value.notices) showNotice(notice)
  if (!useWorkspaces.getState().chosen) useWorkspaces.setState({ chosen: startingPoint(list.value, host.value) })
}

/** Keeps the counts in step with what the host announces. */
export function followWorkspaces(bridge: Bridge): () => void {
  const refresh = coalesced(async () => {
    const list = await bridge.listWorkspaces()
    if (list.ok) useWorkspaces.setState({ list: list.value })
  })
  return bridge.on('workspaceChanged', () => void refresh())
}

function startingPoint(list: WorkspaceSummary[], { homeProject }: HostInfo): WorkspaceKey {
  const remembered = rememberedWorkspace()
  const known = remembered && list.find((entry) => workspaceId(entry) === workspaceId(remembered))
  const { project, session } = known ?? list[0] ?? { project: homeProject, session: DEFAULT_SESSION }
  return { project, session }
}
