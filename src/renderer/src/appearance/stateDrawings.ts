import type { Mark } from '../stores/activity'

/** The shape of each state, twelve pixels square. */
export const STATE_DRAWINGS: Record<Mark, string> = {
  idle: 'M6 3.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6',
  working: 'M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9m0 1.3a3.2 3.2 0 0 0 0 6.4z',
  needsYou: 'M6 1.8 10.6 10H1.4z',
  done: 'm2.4 6.4 2.4 2.4 4.8-5.2',
  failed: 'm3.2 3.2 5.6 5.6m0-5.6L3.2 8.8',
  bell: 'M3 8.5V5.6a3 3 0 0 1 6 0v2.9l.8.8H2.2zM5.2 11h1.6',
  news: 'M6 3.4a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2',
  exited: 'M3.25 3.25h5.5v5.5h-5.5z',
  lost: 'M7 1.5 3.5 6.5h2.4L5.4 10.5 8.5 5.5H6.2z',
  unknown: 'M3.6 4.4a2.4 2.4 0 1 1 3.4 2.2c-.7.3-1 .6-1 1.2M6 10v.01',
  unavailable: 'M3 6h6'
}
