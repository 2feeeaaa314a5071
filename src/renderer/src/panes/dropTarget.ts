import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import type { Edge, Rectangle } from './layout'

/** Beside which terminal a dragged one would be shown, and the room it would get. */
export interface PaneTarget {
  pane: TerminalId
  edge: Edge
  room: Rectangle
}

/** The other session of the same project that it would be given to. */
export interface SessionTarget extends WorkspaceKey {}

/** Where a dragged terminal would go. */
export type DropTarget = PaneTarget | SessionTarget

// The middle of a pane belongs to no edge: dropping there changes nothing.
const EDGE_SHARE = 0.33

/** The pane and edge under a point, which is given like the panes in percentages of the area. */
export function paneTarget(
  rectangles: ReadonlyMap<TerminalId, Rectangle>,
  { x, y }: { x: number; y: number }
): PaneTarget | undefined {
  for (const [pane, box] of rectangles) {
    const across = (x - box.left) / box.width
    const down = (y - box.top) / box.height
    if (across < 0 || across > 1 || down < 0 || down > 1) continue
    const distances: [Edge, number][] = [
      ['left', across],
      ['right', 1 - across],
      ['top', down],
      ['bottom', 1 - down]
    ]
    const [edge, distance] = distances.reduce((nearest, one) => (one[1] < nearest[1] ? one : nearest))
    return distance <= EDGE_SHARE ? { pane, edge, room: halfAt(box, edge) } : undefined
  }
  return undefined
}

/** The session whose row is under the pointer, when a terminal of this workspace can be moved there. */
export function sessionTarget(under: Element | null, from: WorkspaceKey): SessionTarget | undefined {
  const { project, session } = under?.closest<HTMLElement>('[data-session]')?.dataset ?? {}
  if (session === undefined || project !== from.project || session === from.session) return undefined
  return { project, session }
}

function halfAt({ left, top, width, height }: Rectangle, edge: Edge): Rectangle {
  if (edge === 'left' || edge === 'right') {
    return { left: edge === 'left' ? left : left + width / 2, top, width: width / 2, height }
  }
  return { left, top: edge === 'top' ? top : top + height / 2, width, height: height / 2 }
}
