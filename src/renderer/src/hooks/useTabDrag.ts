import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { DropTarget } from '../panes/dropTarget'

/** Less than this is a click with an unsteady hand. */
const DRAG_STARTS_AFTER_PX = 5
/** So far below the strip a hand may stray and still mean the strip. */
const STRIP_MARGIN_PX = 12

export interface TabDrag {
  /** The tab being dragged and the gap it would drop into, counted from 0 before the first tab. */
  dragging: { from: number; gap: number | undefined } | undefined
  start(event: ReactPointerEvent, index: number): void
}

export interface TabDrops {
  /** Dropped in the strip. */
  onMove(from: number, to: number): void
  /** What a drop at this point of the page, outside of the strip, would do. */
  paneAt(from: number, point: { x: number; y: number }): DropTarget | undefined
  /** The tab hangs over this target, or no longer over any. */
  onOver(target: DropTarget | undefined): void
  onPane(from: number, target: DropTarget): void
}

/** Drag a tab along the strip, or to an edge of a pane, with mouse, pen or touch; Escape gives up. */
export function useTabDrag(strip: RefObject<HTMLElement | null>, drops: TabDrops): TabDrag {
  const [dragging, setDragging] = useState<TabDrag['dragging']>()
  const stop = useRef<() => void>(undefined)
  const latest = useRef(drops)
  useEffect(() => {
    latest.current = drops
  })
  useEffect(() => () => stop.current?.(), [])

  const start = ({ button, clientX: startX, clientY: startY }: ReactPointerEvent, from: number) => {
    if (button !== 0) return
    let gap: number | undefined
    let over: DropTarget | undefined
    let moving = false
    const listening = new AbortController()
    const end = () => {
      listening.abort()
      setDragging(undefined)
      latest.current.onOver(undefined)
    }
    const move = ({ clientX, clientY }: PointerEvent) => {
      moving ||= Math.hypot(clientX - startX, clientY - startY) >= DRAG_STARTS_AFTER_PX
      if (!moving) return
      const inStrip = isOverStrip(strip.current, clientY)
      gap = inStrip ? gapAt(strip.current, clientX) : undefined
      over = inStrip ? undefined : latest.current.paneAt(from, { x: clientX, y: clientY })
      latest.current.onOver(over)
      setDragging({ from, gap })
    }
    const drop = () => {
      end()
      if (over) latest.current.onPane(from, over)
      else if (gap !== undefined) latest.current.onMove(from, gap > from ? gap - 1 : gap)
    }
    const key = (event: KeyboardEvent) => event.key === 'Escape' && end()
    const { signal } = listening
    window.addEventListener('pointermove', move, { signal })
    window.addEventListener('pointerup', drop, { signal })
    window.addEventListener('pointercancel', end, { signal })
    window.addEventListener('keydown', key, { signal, capture: true })
    stop.current = () => listening.abort()
  }
  return { dragging, start }
}

function isOverStrip(strip: HTMLElement | null, clientY: number): boolean {
  return strip !== null && clientY <= strip.getBoundingClientRect().bottom + STRIP_MARGIN_PX
}

function gapAt(strip: HTMLElement | null, clientX: number): number {
  const tabs = [...(strip?.querySelectorAll('[role=tab]') ?? [])]
  return tabs.filter((tab) => {
    const { left, width } = tab.getBoundingClientRect()
    return clientX > left + width / 2
  }).length
}
