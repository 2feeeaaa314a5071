import { type RefObject, useEffect, useRef } from 'react'

interface Sheet {
  isOpen: boolean
  close(): void
}

/**
 * Something that lies over the page for a moment: the keyboard goes into it, Escape closes it and gives the keyboard
 * back, and going on in a terminal closes it too.
 */
export function useSheet(element: RefObject<HTMLElement | null>, { isOpen, close }: Sheet): void {
  const closing = useRef(close)
  useEffect(() => {
    closing.current = close
  })
  useEffect(() => {
    const sheet = element.current
    if (!isOpen || !sheet) return
    const before = document.activeElement
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      closing.current()
      if (before instanceof HTMLElement) before.focus()
    }
    const left = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Element && relatedTarget.closest('main')) closing.current()
    }
    sheet.addEventListener('keydown', pressed)
    sheet.addEventListener('focusout', left)
    sheet.querySelector<HTMLElement>('button')?.focus()
    return () => {
      sheet.removeEventListener('keydown', pressed)
      sheet.removeEventListener('focusout', left)
    }
  }, [element, isOpen])
}
