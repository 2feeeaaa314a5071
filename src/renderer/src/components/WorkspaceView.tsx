import { useEffect, useState } from 'react'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { useFocusRequest } from '../hooks/useFocusRequest'
import { useRecent } from '../hooks/useRecent'
import { useTabShortcuts } from '../hooks/useTabShortcuts'
import { useTerminalTabs } from '../hooks/useTerminalTabs'
import { announce } from '../stores/announcer'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { EmptyWorkspace } from './EmptyWorkspace'
import { EndedOffer } from './EndedOffer'
import { TabStrip } from './TabStrip'
import { TerminalPane } from './TerminalPane'

/** One workspace: its tabs, and the terminal behind the active one. */
export function WorkspaceView({ workspace }: { workspace: WorkspaceKey }) {
  const terminals = useTerminalTabs(workspace)
  const { tabs, activeTabId, activeTab, isLoading, addTab, removeTab, restartTab, reorderTabs } = terminals
  const [renaming, setRenaming] = useState<TerminalId | null>(null)
  const focus = useFocusRequest()
  const mounted = useRecent(activeTabId, tabs)
  const add = () => addTab().then(focus.ask)
  const move = (from: number, to: number) => {
    const target = Math.max(0, Math.min(to, tabs.length - 1))
    const name = tabs[from]?.name
    if (target === from || name === undefined) return
    void reorderTabs(from, target)
    announce(strings.moved(displayText(name), target + 1, tabs.length))
  }
  useTabShortcuts({ terminals, add: () => void add(), move, focusTerminal: focus.ask })
  useWindowTitle(activeTab?.name)
  return (
    <>
      <TabStrip {...{ terminals, renaming, setRenaming, add, move }} leave={focus.ask} />
      <EndedOffer workspace={workspace} onStarted={focus.ask} />
      <div className="panes">
        {isLoading && <p className="loading">{strings.loading}</p>}
        {!isLoading && tabs.length === 0 && <EmptyWorkspace workspace={workspace} onAdd={add} onShown={focus.forget} />}
        {mounted.map((tab) => (
          <TerminalPane
            // A terminal that was started again is another program: its pane begins anew.
            key={tab.tmuxSession}
            tab={tab}
            visible={tab.id === activeTabId}
            wantsFocus={focus}
            onStartNew={() => void add()}
            onStartAgain={() => void restartTab(tab.id).then(focus.ask)}
            onClose={() => void removeTab(tab.id).then(focus.ask)}
          />
        ))}
      </div>
    </>
  )
}

function useWindowTitle(name: string | undefined): void {
  useEffect(() => {
    document.title = name === undefined ? strings.appName : strings.windowTitle(displayText(name))
  }, [name])
}
