import type { RefObject } from 'react'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import type { FocusRequest } from '../hooks/useFocusRequest'
import type { Panes } from '../hooks/usePanes'
import { useRecent } from '../hooks/useRecent'
import { useRestoring } from '../hooks/useRestoring'
import type { TerminalTabs } from '../hooks/useTerminalTabs'
import type { PaneTarget } from '../panes/dropTarget'
import { EmptyWorkspace } from './EmptyWorkspace'
import { Restoring } from './Restoring'
import { SplitFrame } from './SplitFrame'
import { TerminalPane } from './TerminalPane'

interface PaneAreaProps {
  workspace: WorkspaceKey
  terminals: TerminalTabs
  panes: Panes
  area: RefObject<HTMLDivElement | null>
  /** Where a dragged tab would go. */
  over: PaneTarget | undefined
  focus: FocusRequest
  add(): Promise<void>
  onClose(id: TerminalId): void
}

/** The terminals that are shown, each in its part of the room; those looked at before wait behind them. */
export function PaneArea({ workspace, terminals, panes, area, over, focus, add, onClose }: PaneAreaProps) {
  const { tabs, activeTabId, isLoading, setActiveTab, restartTab } = terminals
  const mounted = useRecent([...panes.rectangles.keys()], tabs)
  const restoring = useRestoring(workspace, terminals, [...panes.rectangles.keys()])
  const zoom = panes.canZoom ? { isZoomed: panes.isZoomed, toggle: panes.toggleZoom } : undefined
  return (
    <div className="panes" ref={area}>
      {!isLoading && tabs.length === 0 && <EmptyWorkspace workspace={workspace} onAdd={add} onShown={focus.forget} />}
      {mounted.map((tab) => (
        <TerminalPane
          // A terminal that was started again is another program: its pane begins anew.
          key={tab.tmuxSession}
          workspace={workspace}
          tab={tab}
          rectangle={panes.rectangles.get(tab.id)}
          active={tab.id === activeTabId}
          zoom={zoom}
          wantsFocus={focus}
          onActivate={() => setActiveTab(tab.id)}
          onStartNew={() => void add()}
          onStartAgain={() => void restartTab(tab.id).then(focus.ask)}
          onClose={() => onClose(tab.id)}
        />
      ))}
      {panes.node && <SplitFrame node={panes.node} onSizes={panes.resize} />}
      {restoring && <Restoring {...restoring} />}
      {over && <DropHint target={over} />}
    </div>
  )
}

function DropHint({ target: { room } }: { target: PaneTarget }) {
  const { left, top, width, height } = room
  const style = { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }
  return <div className="dropHint" style={style} />
}
