import { useEffect } from 'react'
import type { DesktopTools } from '../../../shared/desktop'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { type ActionHandlers, runAction, useActionHandlers } from '../actions/registry'
import { reportScreenReader } from '../appearance/screenReader'
import { rememberTab } from '../stores/remembered'
import { putWorkspaceTabs } from '../stores/terminals'
import { showError, showLasting } from '../stores/toasts'
import { workspaceId } from '../stores/workspaceId'
import { chooseWorkspace, useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { useOpenWorkspace } from './useOpenWorkspace'

const DEFAULT_SESSION = 'default'

/** In the desktop window: what its shell says is done, and what only the shell can do is asked of it. */
export function useDesktopShell(): void {
  const { desktop } = window
  const { open } = useOpenWorkspace()
  useActionHandlers(desktop ? shellActions(desktop, open) : {})
  useEffect(() => {
    if (!desktop) return
    const stops = [
      desktop.on('runAction', runAction),
      desktop.on('showTerminal', showTerminal),
      desktop.on('showProject', (project) => void showProject(project, open)),
      desktop.on('screenReaderChanged', reportScreenReader),
      desktop.on('updateReady', (version) => showLasting(strings.updateReady(version)))
    ]
    void desktop.screenReaderIsThere().then((answer) => answer.ok && reportScreenReader(answer.value))
    return () => {
      for (const stop of stops) stop()
    }
  }, [open])
}

type Open = (workspace: WorkspaceKey) => Promise<boolean>

function shellActions(desktop: DesktopTools, open: Open): ActionHandlers {
  return {
    newWindow: () => void desktop.newWindow(),
    openFolder: async () => {
      const chosen = await desktop.chooseFolder()
      if (!chosen.ok) showError(chosen.error)
      else if (chosen.value !== null) await showProject(chosen.value, open)
    },
    restartToUpdate: () => void desktop.restartToUpdate()
  }
}

function showTerminal(workspace: WorkspaceKey, id: TerminalId): void {
  rememberTab(workspace, id)
  putWorkspaceTabs(workspaceId(workspace), { activeTabId: id })
  chooseWorkspace(workspace)
}

/** A project that is known is shown as it is; a new one becomes known by its first terminal. */
async function showProject(project: string, open: Open): Promise<void> {
  const known = useWorkspaces.getState().list?.find((workspace) => workspace.project === project)
  if (known) chooseWorkspace(known)
  else await open({ project, session: DEFAULT_SESSION })
}
