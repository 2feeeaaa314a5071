import { CLOSE_GRACE_MS } from '../../../shared/closing'
import type { Bridge } from '../../../shared/ipc'
import type { TerminalId, TerminalSession, WorkspaceKey } from '../../../shared/terminal'
import { useActionHandlers } from '../actions/registry'
import { type Closed, noteClosed, takeClosed, useClosed } from '../stores/closed'
import { ask } from '../stores/questions'
import { rememberTab } from '../stores/remembered'
import { settingValues } from '../stores/settings'
import { dismissToast, showError, showNotice, showPassing } from '../stores/toasts'
import { chooseWorkspace } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { useBridge } from './useBridge'
import type { TerminalTabs } from './useTerminalTabs'

export interface Closing {
  close(id: TerminalId): Promise<void>
  closeOthers(id: TerminalId): Promise<void>
}

const text = strings.closing

/** Closing terminals: asked about only when a program other than the shell runs, and undone for a while. */
export function useClosing(workspace: WorkspaceKey, terminals: TerminalTabs, onReopened: () => void): Closing {
  const bridge = useBridge()
  const { tabs, removeTab, refresh, setActiveTab } = terminals
  const reopen = async (wanted?: Closed) => {
    const closed = takeClosed(wanted)
    if (closed?.toast !== undefined) dismissToast(closed.toast)
    if (!closed || !(await bringBack(bridge, closed))) return
    rememberTab(closed.workspace, closed.id)
    chooseWorkspace(closed.workspace)
    await refresh()
    setActiveTab(closed.id)
    onReopened()
  }
  const closeAll = async (closing: TerminalSession[]) => {
    if (!(await mayClose(bridge, workspace, closing))) return
    for (const { id, name } of closing) {
      // Noted at once: whoever is quick can have it back before the host has answered.
      const closed: Closed = { workspace, id, name, done: removeTab(id) }
      noteClosed(closed)
      if (!(await closed.done)) takeClosed(closed)
      if (!useClosed.getState().stack.includes(closed)) continue
      const action = { label: text.undo, run: () => void reopen(closed) }
      closed.toast = showPassing(text.closed(displayText(name)), { action, forMs: CLOSE_GRACE_MS })
    }
  }
  const canReopen = useClosed(({ stack }) => stack.length > 0)
  useActionHandlers({ reopenClosed: canReopen ? () => void reopen() : undefined })
  return {
    close: (id) => closeAll(tabs.filter((tab) => tab.id === id)),
    closeOthers: (id) => closeAll(tabs.filter((tab) => tab.id !== id))
  }
}

/** While its program lives it comes back as it is; later it is started again in its place. */
async function bringBack(bridge: Bridge, { workspace, id, name, done }: Closed): Promise<boolean> {
  if (!(await done)) return true
  const undone = await bridge.undoClose(workspace, id)
  if (undone.ok && undone.value) return true
  const restarted = undone.ok ? await bridge.restartTerminal(workspace, id) : undone
  if (!restarted.ok) {
    showError(restarted.error)
    return false
  }
  showNotice(text.startedAgain(displayText(name)))
  return true
}

async function mayClose(bridge: Bridge, workspace: WorkspaceKey, closing: TerminalSession[]): Promise<boolean> {
  const { confirm_close: rule } = settingValues()
  if (rule === 'never') return true
  const asked = closing.filter(({ state }) => state === 'running')
  const answers = await Promise.all(asked.map(({ id }) => bridge.foregroundProgram(workspace, id)))
  // A host that cannot say what runs is no reason to keep a terminal open.
  const programs = answers.flatMap((answer) => (answer.ok && answer.value !== null ? [displayText(answer.value)] : []))
  if (programs.length === 0 && rule !== 'always') return true
  const names = [...new Set(programs)].join(', ')
  const title = closing.length === 1 ? text.title(displayText(closing[0]?.name ?? '')) : text.titleMany(closing.length)
  return ask({
    title,
    text: programs.length > 0 ? text.running(names, programs.length) : text.nothingRuns,
    confirm: strings.closeTerminal
  })
}
