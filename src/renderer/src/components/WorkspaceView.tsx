import { useEffect, useRef, useState } from 'react'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { useActionHandlers } from '../actions/registry'
import { useClosing } from '../hooks/useClosing'
import { useFocusRequest } from '../hooks/useFocusRequest'
import { useMoveToSession } from '../hooks/useMoveToSession'
import { usePaneHandlers } from '../hooks/usePaneHandlers'
import { usePanes } from '../hooks/usePanes'
import { useTabDrops } from '../hooks/useTabDrops'
import { useTabHandlers } from '../hooks/useTabHandlers'
import { type TerminalTabs, useTerminalTabs } from '../hooks/useTerminalTabs'
import { useVisitHandlers } from '../hooks/useVisitHandlers'
import { panesOf } from '../panes/layout'
import { markSeen, useActivity } from '../stores/activity'
import { announce } from '../stores/announcer'
import { showOverlay, useOverlay } from '../stores/overlay'
import { arrangement, useViews } from '../stores/views'
import { workspaceId } from '../stores/workspaceId'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { EndedOffer } from './EndedOffer'
import { PaneArea } from './PaneArea'
import { RecentTabs } from './RecentTabs'
import { SessionChooser } from './SessionChooser'
import { TabStrip } from './TabStrip'

const NONE: TerminalId[] = []

/** One workspace: its tabs, and the terminals behind those that are shown. */
export function WorkspaceView({ workspace }: { workspace: WorkspaceKey }) {
  const id = workspaceId(workspace)
  const terminals = useTerminalTabs(workspace)
  const { activeTabId, activeTab, addTab } = terminals
  const [renaming, setRenaming] = useState<TerminalId | null>(null)
  const area = useRef<HTMLDivElement>(null)
  const focus = useFocusRequest()
  const panes = usePanes(workspace, terminals)
  const { close, closeOthers } = useClosing(workspace, terminals, focus.ask)
  const add = () => addTab().then(focus.ask)
  const move = useMove(terminals)
  const closing = (id: TerminalId) => void close(id).then(focus.ask)
  useTabHandlers({
    terminals,
    add: () => void add(),
    close: closing,
    closeOthers,
    rename: setRenaming,
    move,
    focusTerminal: focus.ask
  })
  usePaneHandlers(panes, terminals, focus.ask)
  useVisitHandlers(workspace, activeTabId)
  const recent = useViews(({ byWorkspace: { [id]: view } }) => view ?? arrangement(id)).recent
  const { over, drops } = useTabDrops({ workspace, terminals, panes, area, move, focusTerminal: focus.ask })
  const visible = panes.node ? panesOf(panes.node) : NONE
  useWindowTitle(activeTab?.name)
  useSeen(visible)
  const choose = (id: TerminalId) => {
    terminals.setActiveTab(id)
    focus.ask()
  }
  return (
    <>
      <TabStrip {...{ workspace, terminals, visible, renaming, setRenaming, add, close, drops }} leave={focus.ask} />
      <EndedOffer workspace={workspace} onStarted={focus.ask} />
      <PaneArea {...{ workspace, terminals, panes, area, over, focus, add }} onClose={closing} />
      <RecentTabs tabs={terminals.tabs} recent={recent} onChosen={choose} />
      {activeTabId !== null && <MoveToSession workspace={workspace} terminals={terminals} />}
    </>
  )
}

function useMove({ tabs, reorderTabs }: TerminalTabs) {
  return (from: number, to: number) => {
    const target = Math.max(0, Math.min(to, tabs.length - 1))
    const name = tabs[from]?.name
    if (target === from || name === undefined) return
    void reorderTabs(from, target)
    announce(strings.moved(displayText(name), target + 1, tabs.length))
  }
}

function MoveToSession({ workspace, terminals }: { workspace: WorkspaceKey; terminals: TerminalTabs }) {
  const isOpen = useOverlay(({ open }) => open === 'sessions')
  const { activeTab } = terminals
  const move = useMoveToSession(terminals)
  useActionHandlers({ moveToSession: () => showOverlay('sessions') })
  if (!isOpen || !activeTab) return null
  return <SessionChooser workspace={workspace} onChosen={(session) => void move(activeTab.id, session)} />
}

/** What is on the screen of a window that is looked at counts as seen. */
function useSeen(visible: readonly TerminalId[]): void {
  useEffect(() => {
    const look = () => {
      if (document.hasFocus()) markSeen(visible)
    }
    look()
    window.addEventListener('focus', look)
    const stop = useActivity.subscribe(look)
    return () => {
      window.removeEventListener('focus', look)
      stop()
    }
  }, [visible])
}

function useWindowTitle(name: string | undefined): void {
  useEffect(() => {
    document.title = name === undefined ? strings.appName : strings.windowTitle(displayText(name))
  }, [name])
}
