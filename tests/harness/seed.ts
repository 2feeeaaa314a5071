import fc from 'fast-check'

// The same cases every time, so that a red run is about the change. A soak, or TANDEM_SEED, looks elsewhere.
const isSoak = process.env.TANDEM_COUNTS === 'full' || process.env.TANDEM_FAULT_SCALE === 'full'

/** What every choice of the tests comes from. */
export const SEED = Number(process.env.TANDEM_SEED ?? (isSoak ? Date.now() % 1_000_000 : 20_260_728))

fc.configureGlobal({ seed: SEED })
