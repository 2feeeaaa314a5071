import { STATE_DRAWINGS } from '../appearance/stateDrawings'
import type { Mark } from '../stores/activity'

/** A terminal's state as a shape; the word is said elsewhere, so it is never colour alone. */
export function StateMark({ mark }: { mark: Mark }) {
  return (
    <svg
      aria-hidden="true"
      className={`stateMark ${mark}`}
      width="12"
      height="12"
      viewBox="0 0 12 12"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={STATE_DRAWINGS[mark]} />
    </svg>
  )
}
