import type { TerminalId } from '../../../shared/terminal'
import type { Edge, Rectangle } from './layout'

/** Where a dragged terminal would go: beside which one, and the room it would get. */
export interface DropTarget {
  target: TerminalId
  edge: Edge
  room: Rectangle
}

// The middle of a pane belongs to no edge: dropping there changes nothing.
const EDGE_SHARE = 0.33

/** The pane and edge under a point, which is given like the panes in percentages of the area. */
export function dropTarget(
  rectangles: ReadonlyMap<TerminalId, Rectangle>,
  { x, y }: { x: number; y: number }
): DropTarget | undefined {
  for (const [target, pane] of rectangles) {
    const across = (x - pane.left) / pane.width
    const down = (y - pane.top) / pane.height
    if (across < 0 || across > 1 || down < 0 || down > 1) continue
    const distances: [Edge, number][] = [
      ['left', across],
      ['right', 1 - across],
      ['top', down],
      ['bottom', 1 - down]
    ]
    const [edge, distance] = distances.reduce((nearest, one) => (one[1] < nearest[1] ? one : nearest))
    return distance <= EDGE_SHARE ? { target, edge, room: halfAt(pane, edge) } : undefined
  }
  return undefined
}

function halfAt({ left, top, width, height }: Rectangle, edge: Edge): Rectangle {
  if (edge === 'left' || edge === 'right') {
    return { left: edge === 'left' ? left : left + width / 2, top, width: width / 2, height }
  }
  return { left, top: edge === 'top' ? top : top + height / 2, width, height: height / 2 }
}
