import { app, BrowserWindow, Notification } from 'electron'
import type { Terminal } from '../core/terminal/terminal'
import type { Terminals } from '../core/terminal/terminals'
import type { Workspaces } from '../core/workspace/workspaces'
import { needsYou } from '../shared/activity'
import type { ControlState, TerminalId } from '../shared/terminal'
import { askingNotice, finishedNotice, type NoticeRules, needsYouNotice } from './notifications'

export interface WindowNotice {
  title: string
  body: string
  /** With a sound: somebody waits. */
  isUrgent: boolean
}

export interface NoticeSources {
  terminals: Terminals
  workspaces: Workspaces
  rules(): NoticeRules
  /** Brings the terminal before the person's eyes. */
  showTerminal(id: TerminalId): void
}

/** Tells a person who looks elsewhere what happened in their terminals, and counts on the app's icon who waits. */
export function setupNotices(sources: NoticeSources): () => void {
  const watched = new Map<TerminalId, () => void>()
  const look = () => {
    const all = sources.terminals.all()
    for (const terminal of all) if (!watched.has(terminal.id)) watched.set(terminal.id, watch(terminal, sources))
    for (const [id, stop] of watched) if (!all.some((terminal) => terminal.id === id)) forget(id, stop)
    countWaiting(sources)
  }
  const forget = (id: TerminalId, stop: () => void) => {
    stop()
    watched.delete(id)
  }
  const stops = [sources.terminals.onChange(look), sources.workspaces.onChange(look)]
  look()
  return () => {
    for (const stop of [...stops, ...watched.values()]) stop()
  }
}

function watch(terminal: Terminal, sources: NoticeSources): () => void {
  const { workspaces, rules } = sources
  const nameOf = () => workspaces.placeOf(terminal.id)?.name ?? ''
  const show = () => sources.showTerminal(terminal.id)
  let before: ControlState | undefined
  const stops = [
    terminal.control.onChange(() => {
      const now = terminal.control.state
      showNotice(needsYouNotice(nameOf(), { before, now, rules: rules() }), show)
      before = now
      countWaiting(sources)
    }),
    terminal.shell.agent.onChange(() => {
      const { current } = terminal.shell.agent
      const place = workspaces.placeOf(terminal.id)
      if (current && place) showNotice(askingNotice(place, current, rules()), show)
      countWaiting(sources)
    }),
    terminal.commands.onEnd((record) => showNotice(finishedNotice(nameOf(), record, rules()), show))
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function countWaiting({ terminals }: NoticeSources): void {
  const isWaiting = ({ control, shell }: Terminal) =>
    needsYou({ needsPerson: control.state.needsPerson, agentState: shell.agent.current })
  app.setBadgeCount(terminals.all().filter(isWaiting).length)
}

/** Says it to a person who looks elsewhere: who looks at a window sees it there. */
export function showNotice(notice: WindowNotice | undefined, onClick: () => void): void {
  if (!notice || BrowserWindow.getFocusedWindow() || !Notification.isSupported()) return
  const { title, body, isUrgent } = notice
  const shown = new Notification({ title, body, silent: !isUrgent })
  shown.on('click', onClick)
  shown.show()
}
