import { type RefObject, useEffect } from 'react'

/** Lets a wheel that only goes up and down move the strip, and marks the ends where tabs are out of sight. */
export function useScrolledStrip(strip: RefObject<HTMLElement | null>): void {
  // Also when tabs come and go: what is out of sight changes with them.
  useEffect(() => {
    if (strip.current) markCutEnds(strip.current)
  })
  useEffect(() => {
    const { current } = strip
    if (!current) return
    const mark = () => markCutEnds(current)
    const wheel = (event: WheelEvent) => {
      if (event.deltaX !== 0 || event.ctrlKey || current.scrollWidth <= current.clientWidth) return
      event.preventDefault()
      current.scrollLeft += event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE_PX : event.deltaY
    }
    const sizes = new ResizeObserver(mark)
    sizes.observe(current)
    current.addEventListener('scroll', mark, { passive: true })
    current.addEventListener('wheel', wheel, { passive: false })
    return () => {
      sizes.disconnect()
      current.removeEventListener('scroll', mark)
      current.removeEventListener('wheel', wheel)
    }
  }, [strip])
}

/** What one notch of a wheel counted in lines is worth. */
const LINE_PX = 30

function markCutEnds(strip: HTMLElement): void {
  const { scrollLeft, clientWidth, scrollWidth } = strip
  strip.classList.toggle('cutLeft', scrollLeft > 1)
  strip.classList.toggle('cutRight', scrollLeft + clientWidth < scrollWidth - 1)
}
