import { useState } from 'react'
import type { Bridge } from '../../../shared/ipc'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { rememberTab } from '../stores/remembered'
import { showError } from '../stores/toasts'
import { chooseWorkspace } from '../stores/workspaces'
import { useBridge } from './useBridge'

/** Makes a terminal in a workspace, which makes the workspace known, and goes there. */
export function useOpenWorkspace(): { open(workspace: WorkspaceKey): Promise<boolean>; busy: boolean } {
  const bridge = useBridge()
  const [busy, setBusy] = useState(false)
  const open = async (wanted: WorkspaceKey) => {
    setBusy(true)
    const created = await bridge.createTerminal(wanted)
    setBusy(false)
    if (!created.ok) {
      showError(created.error)
      return false
    }
    const workspace = await knownAs(bridge, wanted, created.value.id)
    rememberTab(workspace, created.value.id)
    chooseWorkspace(workspace)
    return true
  }
  return { open, busy }
}

/** The workspace as the host names it: a path that was typed may lead there through a symbolic link. */
async function knownAs(bridge: Bridge, typed: WorkspaceKey, id: TerminalId): Promise<WorkspaceKey> {
  const listed = await bridge.listWorkspaces()
  const candidates = listed.ok ? listed.value.filter(({ session }) => session === typed.session) : []
  if (candidates.some(({ project }) => project === typed.project)) return typed
  for (const { project, session } of candidates) {
    const terminals = await bridge.listTerminals({ project, session })
    if (terminals.ok && terminals.value.some((terminal) => terminal.id === id)) return { project, session }
  }
  return typed
}
