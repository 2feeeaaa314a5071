import type { TerminalState } from '../../../shared/terminal'

const DRAWINGS: Record<TerminalState, string> = {
  running: 'M6 3.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6',
  exited: 'M3.25 3.25h5.5v5.5h-5.5z',
  lost: 'm3.2 3.2 5.6 5.6m0-5.6L3.2 8.8',
  unknown: 'M3.6 4.4a2.4 2.4 0 1 1 3.4 2.2c-.7.3-1 .6-1 1.2M6 10v.01',
  unavailable: 'M3 6h6'
}

/** A terminal's state as a shape; the word is said elsewhere, so it is never colour alone. */
export function StateMark({ state }: { state: TerminalState }) {
  return (
    <svg
      aria-hidden="true"
      className={`stateMark ${state}`}
      width="12"
      height="12"
      viewBox="0 0 12 12"
      strokeWidth="1.5"
      strokeLinecap="round"
    >
      <path d={DRAWINGS[state]} />
    </svg>
  )
}
