import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { noteModal } from '../stores/modals'

interface ModalProps {
  label: string
  className: string
  onClose(): void
  children: ReactNode
}

/** Something that lies over the page: it keeps the focus inside, Escape and a click beside it close it. */
export function Modal({ label, className, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed before it is taken from the page: only so does the focus go back to where it was.
  useLayoutEffect(() => {
    const opened = dialog.current
    if (!opened) return
    opened.showModal()
    // The element's own choice may be a container.
    opened.querySelector<HTMLElement>('input, .primary')?.focus()
    const forget = noteModal(opened)
    return () => {
      forget()
      opened.close()
    }
  }, [])
  const beside = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, by the element's own cancel event
    <dialog
      ref={dialog}
      className={`modal ${className}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={beside}
    >
      {children}
    </dialog>
  )
}
