import { type RefObject, useEffect } from 'react'

const PROPERTY = '--waiting-height'

/** Tells the page how high this is, so that messages lie above it and not on it. */
export function useRoomBelow(element: RefObject<HTMLElement | null>, isThere: boolean): void {
  useEffect(() => {
    const measured = element.current
    if (!isThere || !measured) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(PROPERTY, `${measured.offsetHeight}px`))
    observer.observe(measured)
    return () => {
      observer.disconnect()
      style.removeProperty(PROPERTY)
    }
  }, [element, isThere])
}
