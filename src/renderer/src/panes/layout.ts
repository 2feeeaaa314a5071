import type { TerminalId } from '../../../shared/terminal'

export type Edge = 'left' | 'right' | 'top' | 'bottom'

/** One terminal, or several beside or below each other; sizes are percentages of the whole they share. */
export type PaneNode = { pane: TerminalId } | SplitNode
export interface SplitNode {
  split: 'row' | 'column'
  parts: { size: number; node: PaneNode }[]
}

/** Where a pane lies, in percentages of the area. */
export interface Rectangle {
  left: number
  top: number
  width: number
  height: number
}

const WHOLE: Rectangle = { left: 0, top: 0, width: 100, height: 100 }

export function isSplit(node: PaneNode): node is SplitNode {
  return 'split' in node
}

/** The terminals of a layout, from left to right and top to bottom. */
export function panesOf(node: PaneNode): TerminalId[] {
  return isSplit(node) ? node.parts.flatMap((part) => panesOf(part.node)) : [node.pane]
}

/** The layout with a further terminal at one edge of a pane, which gives it half of its room. */
export function withPane(node: PaneNode, target: TerminalId, added: { id: TerminalId; edge: Edge }): PaneNode {
  const split = added.edge === 'left' || added.edge === 'right' ? 'row' : 'column'
  if (!isSplit(node)) return node.pane === target ? halved(node, split, added) : node
  const index = node.parts.findIndex((part) => !isSplit(part.node) && part.node.pane === target)
  const found = node.parts[index]
  if (node.split !== split || !found) {
    return { ...node, parts: node.parts.map((part) => ({ ...part, node: withPane(part.node, target, added) })) }
  }
  // Along the same direction it joins the others instead of nesting deeper.
  const size = found.size / 2
  const pair = [
    { size, node: found.node },
    { size, node: { pane: added.id } }
  ]
  return { ...node, parts: node.parts.toSpliced(index, 1, ...(isBefore(added.edge) ? pair.reverse() : pair)) }
}

/** The layout without a terminal; the others share its room. Undefined when none is left. */
export function withoutPane(node: PaneNode, id: TerminalId): PaneNode | undefined {
  if (!isSplit(node)) return node.pane === id ? undefined : node
  const parts = node.parts.flatMap(({ size, node: inner }) => {
    const left = withoutPane(inner, id)
    return left ? [{ size, node: left }] : []
  })
  const total = parts.reduce((sum, { size }) => sum + size, 0)
  if (parts.length <= 1) return parts[0]?.node
  return { ...node, parts: parts.map((part) => ({ ...part, size: (part.size / total) * 100 })) }
}

/** The layout with new sizes for the parts of one split, which is named by the way to it. */
export function withSizes(node: PaneNode, way: readonly number[], sizes: readonly number[]): PaneNode {
  if (!isSplit(node)) return node
  const [first, ...rest] = way
  const parts = node.parts.map((part, index) => {
    if (first === undefined) return { ...part, size: sizes[index] ?? part.size }
    return index === first ? { ...part, node: withSizes(part.node, rest, sizes) } : part
  })
  return { ...node, parts }
}

export function rectanglesOf(node: PaneNode, area: Rectangle = WHOLE): Map<TerminalId, Rectangle> {
  if (!isSplit(node)) return new Map([[node.pane, area]])
  let begun = 0
  const inner = node.parts.flatMap(({ size, node: part }) => {
    const rectangle =
      node.split === 'row'
        ? { ...area, left: area.left + (area.width * begun) / 100, width: (area.width * size) / 100 }
        : { ...area, top: area.top + (area.height * begun) / 100, height: (area.height * size) / 100 }
    begun += size
    return [...rectanglesOf(part, rectangle)]
  })
  return new Map(inner)
}

/** The pane one comes to when going over this edge, the one that lies straight ahead first. */
export function neighbourAt(node: PaneNode, from: TerminalId, edge: Edge): TerminalId | undefined {
  const rectangles = rectanglesOf(node)
  const own = rectangles.get(from)
  if (!own) return undefined
  const ahead = [...rectangles].filter(([id, other]) => id !== from && gapBetween(own, other, edge) > -0.01)
  const nearest = ahead.sort(([, one], [, other]) => {
    const nearer = gapBetween(own, one, edge) - gapBetween(own, other, edge)
    return Math.abs(nearer) > 0.01 ? nearer : overlap(own, other, edge) - overlap(own, one, edge)
  })
  return nearest[0]?.[0]
}

/** Layouts without what is no longer there; one with a single terminal left is none. */
export function pruned(splits: readonly SplitNode[], ids: readonly TerminalId[]): SplitNode[] {
  return splits.flatMap((split) => {
    const gone = panesOf(split).filter((id) => !ids.includes(id))
    const left = gone.reduce<PaneNode | undefined>((node, id) => node && withoutPane(node, id), split)
    return left && isSplit(left) ? [left] : []
  })
}

function halved(node: PaneNode, split: SplitNode['split'], { id, edge }: { id: TerminalId; edge: Edge }): SplitNode {
  const parts = [
    { size: 50, node },
    { size: 50, node: { pane: id } }
  ]
  return { split, parts: isBefore(edge) ? parts.reverse() : parts }
}

function isBefore(edge: Edge): boolean {
  return edge === 'left' || edge === 'top'
}

function gapBetween(own: Rectangle, other: Rectangle, edge: Edge): number {
  if (edge === 'left') return own.left - (other.left + other.width)
  if (edge === 'right') return other.left - (own.left + own.width)
  return edge === 'top' ? own.top - (other.top + other.height) : other.top - (own.top + own.height)
}

function overlap(own: Rectangle, other: Rectangle, edge: Edge): number {
  const along = (start: 'left' | 'top', length: 'width' | 'height') =>
    Math.min(own[start] + own[length], other[start] + other[length]) - Math.max(own[start], other[start])
  return edge === 'left' || edge === 'right' ? along('top', 'height') : along('left', 'width')
}
