import { type RefObject, useState } from 'react'
import type { WorkspaceKey } from '../../../shared/terminal'
import { type PaneTarget, paneTarget, sessionTarget } from '../panes/dropTarget'
import { useTabDrop } from '../stores/tabDrop'
import { workspaceId } from '../stores/workspaceId'
import { useMoveToSession } from './useMoveToSession'
import type { Panes } from './usePanes'
import type { TabDrops } from './useTabDrag'
import type { TerminalTabs } from './useTerminalTabs'

interface DropParts {
  workspace: WorkspaceKey
  terminals: TerminalTabs
  panes: Panes
  area: RefObject<HTMLElement | null>
  move(from: number, to: number): void
  focusTerminal(): void
}

/** What dropping a tab somewhere does: move it along the strip, show it beside a pane, give it to another session. */
export function useTabDrops(parts: DropParts): { over: PaneTarget | undefined; drops: TabDrops } {
  const { workspace, terminals, panes, area, move, focusTerminal } = parts
  const [over, setOver] = useState<PaneTarget>()
  const { tabs, setActiveTab } = terminals
  const moveToSession = useMoveToSession(terminals)
  const drops: TabDrops = {
    onMove: move,
    onOver(target) {
      const isSession = target !== undefined && 'session' in target
      setOver(isSession ? undefined : target)
      useTabDrop.setState({ over: isSession ? workspaceId(target) : undefined })
    },
    targetAt(from, { x, y }) {
      const session = sessionTarget(document.elementFromPoint(x, y), workspace)
      const box = area.current?.getBoundingClientRect()
      if (session || !box) return session
      const point = { x: ((x - box.left) / box.width) * 100, y: ((y - box.top) / box.height) * 100 }
      const found = paneTarget(panes.rectangles, point)
      return found?.pane === tabs[from]?.id ? undefined : found
    },
    onDrop(from, target) {
      const id = tabs[from]?.id
      if (id === undefined) return
      if ('session' in target) return void moveToSession(id, target.session)
      panes.place(id, target.pane, target.edge)
      setActiveTab(id)
      focusTerminal()
    }
  }
  return { over, drops }
}
