const FIRST_WAIT_MS = 500
// A person who looks at the page should not wait longer than this for it to notice that the host is back.
const LONGEST_WAIT_MS = 8_000

/** How long to wait before try number `attempt` (from 0): doubling, bounded. */
export function backOffMs(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS)
}
