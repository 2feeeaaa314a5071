import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { rememberTab } from '../stores/remembered'
import { putWorkspaceTabs, workspaceTabs } from '../stores/terminals'
import { workspaceId } from '../stores/workspaceId'
import { chooseWorkspace } from '../stores/workspaces'

/** Opens a workspace at one of its terminals. */
export function goTo(workspace: WorkspaceKey, id: TerminalId): void {
  rememberTab(workspace, id)
  const key = workspaceId(workspace)
  if (workspaceTabs(key).tabs.some((tab) => tab.id === id)) putWorkspaceTabs(key, { activeTabId: id })
  chooseWorkspace(workspace)
}

/** The same for someone who wants to type there. */
export function goToType(workspace: WorkspaceKey, id: TerminalId): void {
  goTo(workspace, id)
  // After the page is drawn; a workspace that was not open yet gives the keyboard to its terminal by itself.
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`#panel-${CSS.escape(id)} textarea`)?.focus())
}
