import type { RefObject } from 'react'

/** So near to an end of the strip, what is dragged pulls it along; the nearer, the faster. */
const EDGE_PX = 40
const FASTEST_PX_PER_FRAME = 14

interface Point {
  x: number
  y: number
}

/** Scrolls the strip for as long as a tab is held at one of its ends, and tells after each step that things moved. */
export function scrollAtEdge(strip: RefObject<HTMLElement | null>, onScrolled: (at: Point) => void) {
  let held: Point | undefined
  let frame: number | undefined
  const step = () => {
    frame = undefined
    const { current } = strip
    if (!held || !current) return
    const before = current.scrollLeft
    current.scrollLeft += speedAt(current, held.x)
    if (current.scrollLeft === before) return
    onScrolled(held)
    frame = requestAnimationFrame(step)
  }
  return {
    /** Where the tab is held; without: no longer over the strip. */
    at(point: Point | undefined): void {
      held = point
      if (point && frame === undefined) frame = requestAnimationFrame(step)
    }
  }
}

function speedAt(strip: HTMLElement, x: number): number {
  const { left, right } = strip.getBoundingClientRect()
  const beyond = Math.max(x - (right - EDGE_PX), 0) - Math.max(left + EDGE_PX - x, 0)
  return Math.max(-1, Math.min(beyond / EDGE_PX, 1)) * FASTEST_PX_PER_FRAME
}
