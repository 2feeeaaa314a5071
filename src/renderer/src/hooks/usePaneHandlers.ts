import type { TerminalId } from '../../../shared/terminal'
import { useActionHandlers } from '../actions/registry'
import type { Edge } from '../panes/layout'
import type { Panes } from './usePanes'
import type { TerminalTabs } from './useTerminalTabs'

/** What the panes answer to, by key, palette and menu. */
export function usePaneHandlers(panes: Panes, terminals: TerminalTabs, focusTerminal: () => void): void {
  const { activeTabId: active, createTab, setActiveTab } = terminals
  const go = (id: TerminalId) => {
    setActiveTab(id)
    focusTerminal()
  }
  const split = (edge: Edge) =>
    active === null
      ? undefined
      : () =>
          void createTab(active).then((id) => {
            if (id === undefined) return
            panes.place(id, active, edge)
            go(id)
          })
  const toNeighbour = (edge: Edge) => {
    const id = panes.neighbour(edge)
    return id === undefined ? undefined : () => go(id)
  }
  const inSplit = (run: () => void) => (panes.isSplit ? run : undefined)
  useActionHandlers({
    splitRight: split('right'),
    splitDown: split('bottom'),
    unsplit: active === null ? undefined : inSplit(() => panes.takeOut(active)),
    focusPaneLeft: toNeighbour('left'),
    focusPaneRight: toNeighbour('right'),
    focusPaneUp: toNeighbour('top'),
    focusPaneDown: toNeighbour('bottom'),
    zoomPane: inSplit(panes.toggleZoom)
  })
}
