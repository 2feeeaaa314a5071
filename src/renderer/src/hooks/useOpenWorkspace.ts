import { useState } from 'react'
import type { WorkspaceKey } from '../../../shared/terminal'
import { rememberTab } from '../stores/remembered'
import { showError } from '../stores/toasts'
import { chooseWorkspace } from '../stores/workspaces'
import { useBridge } from './useBridge'

/** Makes a terminal in a workspace, which makes the workspace known, and goes there. */
export function useOpenWorkspace(): { open(workspace: WorkspaceKey): Promise<boolean>; busy: boolean } {
  const bridge = useBridge()
  const [busy, setBusy] = useState(false)
  const open = async (workspace: WorkspaceKey) => {
    setBusy(true)
    const created = await bridge.createTerminal(workspace)
    setBusy(false)
    if (!created.ok) {
      showError(created.error)
      return false
    }
    rememberTab(workspace, created.value.id)
    chooseWorkspace(workspace)
    return true
  }
  return { open, busy }
}
