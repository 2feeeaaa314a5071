import { useEffect, useMemo } from 'react'
import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import {
  type Edge,
  isSplit,
  neighbourAt,
  type PaneNode,
  panesOf,
  pruned,
  type Rectangle,
  rectanglesOf,
  withoutPane,
  withPane,
  withSizes
} from '../panes/layout'
import { NARROW } from '../stores/sidebar'
import { arrange, arrangement, lookedAt, useViews } from '../stores/views'
import { workspaceId } from '../stores/workspaceId'
import { useMedia } from './useMedia'
import type { TerminalTabs } from './useTerminalTabs'

export interface Panes {
  /** What is shown: the active terminal, alone or with those it is split with. */
  node: PaneNode | undefined
  rectangles: ReadonlyMap<TerminalId, Rectangle>
  isSplit: boolean
  isZoomed: boolean
  /** A narrow window shows one pane at a time anyway. */
  canZoom: boolean
  /** Shows a terminal at an edge of another one; it leaves the split it was in. */
  place(id: TerminalId, target: TerminalId, edge: Edge): void
  takeOut(id: TerminalId): void
  resize(way: readonly number[], sizes: readonly number[]): void
  toggleZoom(): void
  neighbour(edge: Edge): TerminalId | undefined
}

/** Which terminals of a workspace are shown together and how they share the room. */
export function usePanes(key: WorkspaceKey, { tabs, activeTabId, isLoading }: TerminalTabs): Panes {
  const id = workspaceId(key)
  const { splits, isZoomed } = useViews(({ byWorkspace }) => byWorkspace[id] ?? arrangement(id))
  useEffect(() => {
    if (activeTabId !== null) lookedAt(id, activeTabId)
  }, [id, activeTabId])
  const known = useMemo(
    () =>
      pruned(
        splits,
        tabs.map((tab) => tab.id)
      ),
    [splits, tabs]
  )
  useEffect(() => {
    // Splits of terminals that are gone are forgotten; but not while nothing is known yet.
    if (!isLoading && panesIn(known) !== panesIn(splits)) arrange(id, { splits: known })
  }, [id, known, splits, isLoading])
  const split = known.find((node) => activeTabId !== null && panesOf(node).includes(activeTabId))
  const whole = split ?? (activeTabId === null ? undefined : { pane: activeTabId })
  const zoomed = isZoomed && split !== undefined && activeTabId !== null
  const isNarrow = useMedia(NARROW)
  const node = (zoomed || isNarrow) && activeTabId !== null ? { pane: activeTabId } : whole
  return {
    node,
    rectangles: useMemo(() => (node ? rectanglesOf(node) : new Map()), [node]),
    isSplit: split !== undefined,
    isZoomed: zoomed,
    canZoom: split !== undefined && !isNarrow,
    ...changes(id, whole, activeTabId)
  }
}

type Changes = Pick<Panes, 'place' | 'takeOut' | 'resize' | 'toggleZoom' | 'neighbour'>

function changes(id: string, whole: PaneNode | undefined, active: TerminalId | null): Changes {
  const put = (before: PaneNode, after: PaneNode) => {
    const others = arrangement(id).splits.filter((one) => one !== before && !shares(one, after))
    arrange(id, { splits: isSplit(after) ? [...others, after] : others })
  }
  return {
    place(added, target, edge) {
      if (added === target) return
      const without = arrangement(id).splits.flatMap((one) => {
        const left = withoutPane(one, added)
        return left && isSplit(left) ? [left] : []
      })
      const host = without.find((one) => panesOf(one).includes(target))
      const placed = withPane(host ?? { pane: target }, target, { id: added, edge })
      const splits = without.filter((one) => one !== host)
      arrange(id, { splits: isSplit(placed) ? [...splits, placed] : splits, isZoomed: false })
    },
    takeOut(gone) {
      const left = whole && withoutPane(whole, gone)
      if (whole && left) put(whole, left)
    },
    resize(way, sizes) {
      if (whole) put(whole, withSizes(whole, way, sizes))
    },
    toggleZoom: () => arrange(id, { isZoomed: !arrangement(id).isZoomed }),
    neighbour: (edge) => (whole && active !== null ? neighbourAt(whole, active, edge) : undefined)
  }
}

function shares(one: PaneNode, other: PaneNode): boolean {
  const ids = panesOf(other)
  return panesOf(one).some((id) => ids.includes(id))
}

function panesIn(splits: readonly PaneNode[]): string {
  return JSON.stringify(splits.map(panesOf))
}
