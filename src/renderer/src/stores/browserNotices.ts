import type { CommandDeed, HistoryEntry } from '../../../shared/history'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { goToType } from '../actions/goToTerminal'
import { questionOf } from '../agents/agentQuestion'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { useActivity } from './activity'
import { useHistory } from './history'
import { isFirstHint } from './remembered'
import { settingValues } from './settings'
import { showPassing } from './toasts'
import { useWaiting } from './waiting'
import { folderName } from './workspaceId'

/** Ended because somebody pressed Ctrl+C or asked it to stop: no news to them. */
const STOPPED_CODES: readonly (number | null)[] = [130, 143]
const OFFER_MS = 30_000
const text = strings.notices

interface Notice {
  title: string
  body: string
  isUrgent: boolean
  place: { workspace: WorkspaceKey; id: TerminalId }
}

/**
 * In a browser the page itself tells the system about terminals that wait for the person and commands that took long,
 * while the person looks elsewhere; in the desktop window its shell does. Permission is asked for only when there was
 * something to tell, and by a button.
 */
export function followBrowserNotices(): () => void {
  if (window.desktop || typeof Notification === 'undefined') return () => undefined
  const stops = [
    useWaiting.subscribe(({ terminals }, before) => {
      const known = new Set(before.terminals.map(({ id }) => id))
      for (const { id, name, workspace } of terminals.filter((one) => !known.has(one.id))) {
        const question = questionOf(useActivity.getState().byId[id])
        const title = question ? placeName(workspace, name) : strings.control.waits(displayText(name))
        tell({ title, body: question?.text ?? strings.control.waitsWhy, isUrgent: true, place: { workspace, id } })
      }
    }),
    useHistory.subscribe(({ entries }, before) => {
      if (!before.entries) return
      const over = new Set(before.entries.filter(isOver).map(({ id }) => id))
      for (const entry of (entries ?? []).filter((one) => isOver(one) && !over.has(one.id))) tellFinished(entry)
    })
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** A question is read where it is asked: the title says in which terminal of which workspace. */
function placeName({ project, session }: WorkspaceKey, name: string): string {
  const workspace = strings.workspaceName(displayText(folderName(project)), displayText(session))
  return strings.control.asksIn(workspace, displayText(name))
}

function isOver({ deed }: HistoryEntry): boolean {
  return deed.kind === 'command' && !deed.running
}

function tellFinished({ deed, terminal, workspace }: HistoryEntry): void {
  if (deed.kind !== 'command' || !terminal || !workspace || !isLong(deed)) return
  const name = displayText(terminal.name)
  const title = deed.exitCode === 0 ? text.finished(name) : text.failed(name)
  tell({ title, body: displayText(deed.command), isUrgent: false, place: { workspace, id: terminal.id } })
}

function isLong({ durationMs, exitCode }: CommandDeed): boolean {
  return (durationMs ?? 0) >= settingValues().notify_after * 1000 && !STOPPED_CODES.includes(exitCode)
}

function tell({ title, body, isUrgent, place: { workspace, id } }: Notice): void {
  const { notifications } = settingValues()
  if (document.hasFocus() || notifications === 'none' || (notifications === 'needs-you' && !isUrgent)) return
  if (Notification.permission === 'granted') {
    const notice = new Notification(title, { body, tag: id, silent: !isUrgent })
    notice.onclick = () => {
      window.focus()
      goToType(workspace, id)
    }
  } else if (Notification.permission === 'default' && isFirstHint('notifications')) {
    const action = { label: text.allow, run: () => void Notification.requestPermission() }
    showPassing(text.offer, { action, forMs: OFFER_MS })
  }
}
