import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

/** Less than this is a click with an unsteady hand. */
const DRAG_STARTS_AFTER_PX = 5

export interface TabDrag {
  /** The tab being dragged and the gap it would drop into, counted from 0 before the first tab. */
  dragging: { from: number; gap: number } | undefined
  start(event: ReactPointerEvent, index: number): void
}

/** Drag a tab along the strip with mouse, pen or touch; Escape gives up. */
export function useTabDrag(strip: RefObject<HTMLElement | null>, onDrop: (from: number, to: number) => void): TabDrag {
  const [dragging, setDragging] = useState<TabDrag['dragging']>()
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const start = ({ button, clientX: startX }: ReactPointerEvent, from: number) => {
    if (button !== 0) return
    let gap: number | undefined
    const listening = new AbortController()
    const end = () => {
      listening.abort()
      setDragging(undefined)
    }
    const move = ({ clientX }: PointerEvent) => {
      if (gap === undefined && Math.abs(clientX - startX) < DRAG_STARTS_AFTER_PX) return
      gap = gapAt(strip.current, clientX)
      setDragging({ from, gap })
    }
    const drop = () => {
      end()
      if (gap !== undefined) onDrop(from, gap > from ? gap - 1 : gap)
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

function gapAt(strip: HTMLElement | null, clientX: number): number {
  const tabs = [...(strip?.querySelectorAll('[role=tab]') ?? [])]
  return tabs.filter((tab) => {
    const { left, width } = tab.getBoundingClientRect()
    return clientX > left + width / 2
  }).length
}
