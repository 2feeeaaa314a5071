import { useEffect, useState } from 'react'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { useRecent } from '../hooks/useRecent'
import { useTabShortcuts } from '../hooks/useTabShortcuts'
import { useTerminalTabs } from '../hooks/useTerminalTabs'
import { announce } from '../stores/announcer'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { EmptyWorkspace } from './EmptyWorkspace'
import { TabStrip } from './TabStrip'
import { TerminalPane } from './TerminalPane'

/** One workspace: its tabs, and the terminal behind the active one. */
export function WorkspaceView({ workspace }: { workspace: WorkspaceKey }) {
  const terminals = useTerminalTabs(workspace)
  const { tabs, activeTabId, activeTab, isLoading, addTab, removeTab, reorderTabs } = terminals
  const [renaming, setRenaming] = useState<TerminalId | null>(null)
  const [focusRequest, setFocusRequest] = useState(1)
  const mounted = useRecent(activeTabId, tabs)
  const focusTerminal = () => setFocusRequest((request) => request + 1)
  const add = () => addTab().then(focusTerminal)
  const move = (from: number, to: number) => {
    const target = Math.max(0, Math.min(to, tabs.length - 1))
    const name = tabs[from]?.name
    if (target === from || name === undefined) return
    void reorderTabs(from, target)
    announce(strings.moved(displayText(name), target + 1, tabs.length))
  }
  useTabShortcuts({ terminals, add: () => void add(), move })
  useWindowTitle(activeTab?.name)
  return (
    <>
      <TabStrip {...{ terminals, renaming, setRenaming, add, move }} leave={focusTerminal} />
      <div className="panes">
        {isLoading && <p className="loading">{strings.loading}</p>}
        {!isLoading && tabs.length === 0 && <EmptyWorkspace workspace={workspace} onAdd={add} />}
        {mounted.map((tab) => (
          <TerminalPane
            key={tab.id}
            tab={tab}
            visible={tab.id === activeTabId}
            focusRequest={renaming === null ? focusRequest : 0}
            onStartNew={() => void add()}
            onClose={() => void removeTab(tab.id)}
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
