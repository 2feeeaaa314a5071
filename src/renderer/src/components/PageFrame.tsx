import type { ReactNode } from 'react'
import { closeOverlay } from '../stores/overlay'
import { Icon } from './Icon'
import { Modal } from './Modal'

interface PageFrameProps {
  title: string
  className: string
  closeLabel: string
  /** What stands in the head beside the title. */
  head?: ReactNode
  children: ReactNode
}

/** A page of its own over the window: a head with its title and the way out, and below it what scrolls. */
export function PageFrame({ title, className, closeLabel, head, children }: PageFrameProps) {
  return (
    <Modal label={title} className={`pageFrame ${className}`} onClose={closeOverlay}>
      <header>
        <h2>{title}</h2>
        {head}
        <button type="button" className="iconButton" aria-label={closeLabel} title={closeLabel} onClick={closeOverlay}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </Modal>
  )
}
