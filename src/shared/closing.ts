/** How long a closed terminal's program lives on, so that closing it can be undone. */
export const CLOSE_GRACE_MS = 10_000

/** So many can be brought back; closing one more ends the oldest at once. */
export const MAX_CLOSING = 10
