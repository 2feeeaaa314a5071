import type { KeyboardEvent, PointerEvent } from 'react'
import { dragSidebar, drawnWidth, SIDEBAR_WIDTH, useSidebar } from '../stores/sidebar'
import { strings } from '../strings'

const STEP_PX = 10

/** The sidebar's edge, to drag or to move with the arrow keys. */
export function SidebarEdge() {
  const width = useSidebar(drawnWidth)
  const start = (event: PointerEvent<HTMLElement>) => {
    const edge = event.currentTarget
    const from = event.clientX - width
    edge.setPointerCapture(event.pointerId)
    edge.onpointermove = ({ clientX }) => dragSidebar(clientX - from)
    edge.onpointerup = () => {
      edge.onpointermove = null
    }
  }
  const move = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') dragSidebar(width <= SIDEBAR_WIDTH.min ? SIDEBAR_WIDTH.rail : width - STEP_PX)
    else if (key === 'ArrowRight') dragSidebar(Math.max(SIDEBAR_WIDTH.min, width + STEP_PX))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line to drag, which a rule cannot be
    <div
      className="sidebarEdge"
      role="separator"
      aria-orientation="vertical"
      aria-label={strings.sidebar.width}
      aria-valuemin={SIDEBAR_WIDTH.rail}
      aria-valuemax={SIDEBAR_WIDTH.max}
      aria-valuenow={width}
      tabIndex={0}
      onPointerDown={start}
      onKeyDown={move}
    />
  )
}
