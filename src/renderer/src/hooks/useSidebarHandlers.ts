import type { Bridge } from '../../../shared/ipc'
import type { WorkspaceKey } from '../../../shared/terminal'
import { useActionHandlers } from '../actions/registry'
import { ask } from '../stores/questions'
import { changeSidebar, NARROW, useSidebar } from '../stores/sidebar'
import { showError } from '../stores/toasts'
import { forgetWorkspace, useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'

const text = strings.sidebar

/** What the sidebar answers to, by key, palette and menu. */
export function useSidebarHandlers(bridge: Bridge): void {
  const chosen = useWorkspaces((state) => state.chosen)
  const list = useWorkspaces((state) => state.list)
  const known = list?.find(({ project, session }) => project === chosen?.project && session === chosen.session)
  useActionHandlers({
    sidebar: toggleSidebar,
    // In the desktop window the system's own dialog serves.
    openFolder: window.desktop ? undefined : () => showForm('folder'),
    newSession: chosen ? () => showForm('session') : undefined,
    removeSession: known ? () => void remove(bridge, known, known.running) : undefined
  })
}

/** Unfolds what is in its way; asked for again, it gets the keyboard again. */
function showForm(form: 'folder' | 'session'): void {
  const { formWishes } = useSidebar.getState()
  const isNarrow = matchMedia(NARROW).matches
  changeSidebar({ form, formWishes: formWishes + 1, ...(isNarrow ? { isDrawerOpen: true } : { isRail: false }) })
}

export function toggleSidebar(): void {
  const { isRail, isDrawerOpen } = useSidebar.getState()
  changeSidebar(matchMedia(NARROW).matches ? { isDrawerOpen: !isDrawerOpen } : { isRail: !isRail })
}

async function remove(bridge: Bridge, { project, session }: WorkspaceKey, running: number): Promise<void> {
  const title = text.removeTitle(displayText(session))
  if (!(await ask({ title, text: text.removeText(running), confirm: text.remove }))) return
  const removed = await bridge.removeWorkspace({ project, session })
  if (!removed.ok) return showError(removed.error)
  forgetWorkspace({ project, session })
}
