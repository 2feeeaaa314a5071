// Far more than a terminal can print in its life.
const OFFSETS_PER_START = 2 ** 40

/**
 * A terminal that is started again keeps its id, and offsets of its output must never mean something else than before:
 * each start has a range of its own.
 */
export function firstOffset(restarts: number): number {
  return restarts * OFFSETS_PER_START
}

/** How often the terminal was started again whose output has reached this offset. */
export function restartsBefore(offset: number): number {
  return Math.max(0, Math.floor(offset / OFFSETS_PER_START))
}
