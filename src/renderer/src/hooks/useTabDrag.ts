import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { DropTarget } from '../panes/dropTarget'
import { scrollAtEdge } from '../tabs/scrollAtEdge'

/** Less than this is a click with an unsteady hand. */
const DRAG_STARTS_AFTER_PX = 5
/** So far beside the strip a hand may stray and still mean the strip. */
const STRIP_MARGIN_PX = 12

interface Point {
  x: number
  y: number
}

export interface TabDrag {
  /** The tab being dragged, where the hand is, and the gap it would drop into, counted from 0 before the first tab. */
  dragging: { from: number; gap: number | undefined; at: Point } | undefined
  start(event: ReactPointerEvent, index: number): void
}

export interface TabDrops {
  /** Dropped in the strip. */
  onMove(from: number, to: number): void
  /** What a drop at this point of the page, outside of the strip, would do. */
  targetAt(from: number, point: Point): DropTarget | undefined
  /** The tab hangs over this target, or no longer over any. */
  onOver(target: DropTarget | undefined): void
  onDrop(from: number, target: DropTarget): void
}

/** Drag a tab along the strip, to an edge of a pane or to another session, with mouse, pen or touch; Escape gives up. */
export function useTabDrag(strip: RefObject<HTMLElement | null>, drops: TabDrops): TabDrag {
  const [dragging, setDragging] = useState<TabDrag['dragging']>()
  const stop = useRef<() => void>(undefined)
  const latest = useRef(drops)
  useEffect(() => {
    latest.current = drops
  })
  useEffect(() => () => stop.current?.(), [])

  const start = ({ button, clientX, clientY }: ReactPointerEvent, from: number) => {
    if (button !== 0) return
    let gap: number | undefined
    let over: DropTarget | undefined
    let moving = false
    const look = (at: Point) => {
      const inStrip = isOverStrip(strip.current, at)
      gap = inStrip ? gapAt(strip.current, at.x) : undefined
      over = inStrip ? undefined : latest.current.targetAt(from, at)
      latest.current.onOver(over)
      setDragging({ from, gap, at })
    }
    const scrolling = scrollAtEdge(strip, look)
    const end = () => {
      stop.current?.()
      setDragging(undefined)
      latest.current.onOver(undefined)
    }
    const unlisten = followPointer({
      move(at) {
        moving ||= Math.hypot(at.x - clientX, at.y - clientY) >= DRAG_STARTS_AFTER_PX
        if (!moving) return
        look(at)
        scrolling.at(gap === undefined ? undefined : at)
      },
      drop() {
        end()
        if (over) latest.current.onDrop(from, over)
        else if (gap !== undefined) latest.current.onMove(from, gap > from ? gap - 1 : gap)
      },
      giveUp: end
    })
    stop.current = () => {
      scrolling.at(undefined)
      unlisten()
    }
  }
  return { dragging, start }
}

interface PointerFollower {
  move(at: Point): void
  drop(): void
  giveUp(): void
}

/** Hears the pointer wherever it goes, until the returned function is called. */
function followPointer({ move, drop, giveUp }: PointerFollower): () => void {
  const listening = new AbortController()
  const { signal } = listening
  window.addEventListener('pointermove', ({ clientX, clientY }) => move({ x: clientX, y: clientY }), { signal })
  window.addEventListener('pointerup', drop, { signal })
  window.addEventListener('pointercancel', giveUp, { signal })
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && giveUp(), { signal, capture: true })
  return () => listening.abort()
}

/** The buttons behind the tabs belong to it: there is where the last place is. */
function isOverStrip(tabs: HTMLElement | null, { x, y }: Point): boolean {
  const box = tabs?.parentElement?.getBoundingClientRect()
  if (!box) return false
  const { left, right, top, bottom } = box
  const isBetween = (value: number, low: number, high: number) =>
    value >= low - STRIP_MARGIN_PX && value <= high + STRIP_MARGIN_PX
  return isBetween(x, left, right) && isBetween(y, top, bottom)
}

function gapAt(strip: HTMLElement | null, clientX: number): number {
  const tabs = [...(strip?.querySelectorAll('[role=tab]') ?? [])]
  return tabs.filter((tab) => {
    const { left, width } = tab.getBoundingClientRect()
    return clientX > left + width / 2
  }).length
}
