import { setFlagsFromString } from 'node:v8'

/**
 * By how much the heap may grow over what is alive before it is collected. Left alone, the engine waits for up to four
 * times of it: a host that many agents ask takes hundreds of megabytes more than it has use for. Collecting more often
 * costs nothing that the bench of the emulator shows.
 */
const GROWTH_PERCENT = 40

/** For a process that serves for weeks beside everything else a person runs. */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}
