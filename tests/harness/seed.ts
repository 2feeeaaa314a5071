import fc from 'fast-check'

// The same cases every time, so that a red run is about the change. A soak, or TANDEM_SEED, looks elsewhere.
const isSoak = process.env.TANDEM_COUNTS === 'full' || process.env.TANDEM_FAULT_SCALE === 'full'
fc.configureGlobal({ seed: Number(process.env.TANDEM_SEED ?? (isSoak ? Date.now() : 20_260_728)) })
