/** `TANDEM_COUNTS=full` runs every promise with its full count; without it each is tried often enough to be real. */
const isFull = process.env.TANDEM_COUNTS === 'full'

export function count({ small, full }: { small: number; full: number }): number {
  return isFull ? full : small
}

/** Time limit of one test: for code that hangs, and long enough for the full counts. */
export const LIMIT_MS = isFull ? 3_600_000 : 180_000
