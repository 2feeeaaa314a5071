import { create } from 'zustand'
import type { TerminalActivity } from '../../../shared/activity'
import type { Bridge, HostInfo } from '../../../shared/ipc'
import type { TerminalId, WorkspaceKey, WorkspaceSummary } from '../../../shared/terminal'
import { recallAgents } from './agents'
import { welcome } from './arrival'
import { coalesced } from './coalesced'
import { showHostNotice } from './hostNotices'
import { openMemory } from './memory'
import { recallPanel } from './panel'
import { rememberedWorkspace, rememberWorkspace } from './remembered'
import { recallSidebar } from './sidebar'
import { showError } from './toasts'
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

/** A workspace that was removed: if the person looks at it, another one is shown. */
export function forgetWorkspace(gone: WorkspaceKey): void {
  const { list = [], host, chosen } = useWorkspaces.getState()
  const left = list.filter((entry) => workspaceId(entry) !== workspaceId(gone))
  const isShown = chosen !== undefined && workspaceId(chosen) === workspaceId(gone)
  useWorkspaces.setState({ list: left })
  if (isShown && host) chooseWorkspace(startingPoint(left, host))
}

/** Asks the host what there is; on the first answer it chooses the workspace of the last visit, else the first one. */
export async function loadWorkspaces(bridge: Bridge): Promise<void> {
  const [host, list] = await Promise.all([bridge.hostInfo(), bridge.listWorkspaces(), openMemory(bridge)])
  if (!host.ok) return showError(host.error)
  if (!list.ok) return showError(list.error)
  const first = useWorkspaces.getState().host === undefined
  const home = { project: host.value.homeProject, session: DEFAULT_SESSION }
  if (first && (await welcome(bridge, { host: host.value, list: list.value, home }))) return loadWorkspaces(bridge)
  useWorkspaces.setState({ host: host.value, list: list.value })
  if (first) host.value.notices.forEach(showHostNotice)
  if (first) recallSidebar()
  if (first) recallAgents()
  if (first) recallPanel()
  if (!useWorkspaces.getState().chosen) useWorkspaces.setState({ chosen: startingPoint(list.value, host.value) })
}

/** Keeps counts and the most urgent states in step with what the host announces. */
export function followWorkspaces(bridge: Bridge): () => void {
  const refresh = coalesced(async () => {
    const list = await bridge.listWorkspaces()
    if (list.ok) useWorkspaces.setState({ list: list.value })
  })
  // A list may show work that began and ended between two announcements, which then tell of no change: after each change
  // the next announcement, of whatever, has it looked at once more.
  let isUnsure = false
  const stops = [
    bridge.on('workspaceChanged', () => {
      isUnsure = true
      void refresh()
    }),
    bridge.on('activityChanged', (changes) => {
      // All of them are looked at: one that is passed over would be compared with what it was before.
      const hasChanged = changes.filter(changesUrgency).length > 0
      if (hasChanged || isUnsure) void refresh()
      isUnsure = hasChanged
    })
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Output alone changes nothing that the sidebar shows. */
function changesUrgency({ id, isWorking, needsPerson, agentState }: TerminalActivity): boolean {
  const known = urgencies.get(id)
  const now = `${isWorking} ${needsPerson} ${agentState?.state}`
  urgencies.set(id, now)
  return known !== now
}

const urgencies = new Map<TerminalId, string>()

function startingPoint(list: WorkspaceSummary[], { homeProject }: HostInfo): WorkspaceKey {
  const remembered = rememberedWorkspace()
  const known = remembered && list.find((entry) => workspaceId(entry) === workspaceId(remembered))
  const { project, session } = known ?? list[0] ?? { project: homeProject, session: DEFAULT_SESSION }
  return { project, session }
}

/** How many terminals a workspace has, as far as the list says. */
export function useExpectedTerminals(workspace: WorkspaceKey): number {
  const id = workspaceId(workspace)
  return useWorkspaces(({ list }) => list?.find((entry) => workspaceId(entry) === id)?.terminals ?? 0)
}
