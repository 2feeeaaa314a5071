/** Sessions of one token; beyond this its least recently used one is ended and has to initialise again. */
const MAX_PER_TOKEN = 100
const IDLE_MS = 60 * 60 * 1000
const SWEEP_INTERVAL_MS = 60 * 1000

interface Session<P> {
  id: string
  tokenName: string
  peer: P
  openRequests: number
  lastUsedMs: number
}

/** The sessions of 2025-era clients: each belongs to the token that made it, and ends when nobody uses it. */
export class McpSessions<P extends { close(): Promise<void> }> {
  readonly #sessions = new Map<string, Session<P>>()
  readonly #sweeper = setInterval(() => this.sweep(performance.now()), SWEEP_INTERVAL_MS).unref()

  add({ id, tokenName, peer }: { id: string; tokenName: string; peer: P }): void {
    const own = [...this.#sessions.values()].filter((session) => session.tokenName === tokenName)
    const [oldest] = own.sort((one, other) => one.lastUsedMs - other.lastUsedMs)
    if (oldest && own.length >= MAX_PER_TOKEN) this.#end(oldest)
    this.#sessions.set(id, { id, tokenName, peer, openRequests: 0, lastUsedMs: performance.now() })
  }

  /** Uses a session for one request; another token's session does not exist. `release` when the request is over. */
  use(id: string, tokenName: string): { peer: P; release(): void } | undefined {
    const session = this.#sessions.get(id)
    if (!session || session.tokenName !== tokenName) return undefined
    session.openRequests += 1
    session.lastUsedMs = performance.now()
    const release = () => {
      session.openRequests -= 1
      session.lastUsedMs = performance.now()
    }
    return { peer: session.peer, release }
  }

  forget(id: string): void {
    this.#sessions.delete(id)
  }

  endOf(tokenName: string): void {
    for (const session of [...this.#sessions.values()]) if (session.tokenName === tokenName) this.#end(session)
  }

  sweep(nowMs: number): void {
    for (const session of [...this.#sessions.values()]) {
      if (session.openRequests === 0 && nowMs - session.lastUsedMs > IDLE_MS) this.#end(session)
    }
  }

  close(): void {
    clearInterval(this.#sweeper)
    for (const session of [...this.#sessions.values()]) this.#end(session)
  }

  #end(session: Session<P>): void {
    this.#sessions.delete(session.id)
    // The peer reports its own failures; a session that cannot say goodbye is gone all the same.
    session.peer.close().catch(() => undefined)
  }
}
