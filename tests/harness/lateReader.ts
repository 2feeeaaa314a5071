import type { Reader } from '../../src/core/backends/backend'

/** A reader that is too far behind to catch up in good time. */
export function lateReader(caughtUp: () => Promise<void>): Reader {
  return { needsRestore: true, caughtUp }
}

/** One that has nothing to wait for when its screen has been restored. */
export const LATE_READER = lateReader(async () => undefined)
