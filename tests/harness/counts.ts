import { expect, type TaskMeta } from 'vitest'

/** `TANDEM_COUNTS=full` runs every promise with its full count; without it each is tried often enough to be real. */
const isFull = process.env.TANDEM_COUNTS === 'full'

export function count({ small, full }: { small: number; full: number }): number {
  return isFull ? full : small
}

/** Time limit of one test: for code that hangs, and long enough for the full counts. */
export const LIMIT_MS = isFull ? 3_600_000 : 180_000

declare module 'vitest' {
  interface TaskMeta {
    /** What was measured, for the table of a soak. */
    figures?: Record<string, number>
  }
}

/** Measures that a full count is held to. `npm test` only notes them, for it also runs on busy machines. */
export function limit(task: { meta: TaskMeta }, name: string, { value, max }: { value: number; max: number }): void {
  task.meta.figures = { ...task.meta.figures, [name]: Math.round(value) }
  if (isFull) expect(value, name).toBeLessThan(max)
}
