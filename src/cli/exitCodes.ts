/** What scripts may rely on. */
export const EXIT_CODES = { ok: 0, failed: 1, usage: 2, hostRunning: 3, portBusy: 4, noHost: 5 } as const
