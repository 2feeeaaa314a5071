/** What `tandem mcp` says of itself with every request: which process it is, and where it runs (percent-encoded). */
export const BRIDGE_HEADERS = { instance: 'x-tandem-bridge', cwd: 'x-tandem-cwd' } as const

/** A bridge's instance id: random, new with every process. */
export const BRIDGE_INSTANCE = /^[A-Za-z0-9-]{8,64}$/

/** The stream that a bridge holds open for as long as it lives; the host writes a line now and then. */
export const BRIDGE_PATH = '/api/bridge'
export const BRIDGE_HEARTBEAT_MS = 2500
