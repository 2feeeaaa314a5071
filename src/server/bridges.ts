/** How long a bridge may be away: a host that restarts, a connection that broke. */
const GRACE_MS = 20_000
/** Time is counted in steps, so that a host that slept blames nobody. */
const STEP_MS = 1000

interface BridgesOptions {
  /** The bridge is gone for good. */
  onGone(bridge: string): unknown
  graceMs?: number
  stepMs?: number
}

/** Which bridges (`tandem mcp`) are there: each holds a stream open, and one without any for too long is gone for good. */
export class Bridges {
  readonly #options: Required<BridgesOptions>
  readonly #streams = new Map<string, number>()
  readonly #missing = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: BridgesOptions) {
    this.#options = { graceMs: GRACE_MS, stepMs: STEP_MS, ...options }
  }

  /** A bridge shows itself; returns what is called when its stream has ended. */
  attach(bridge: string): () => void {
    this.#missing.delete(bridge)
    this.#streams.set(bridge, (this.#streams.get(bridge) ?? 0) + 1)
    return () => {
      const left = (this.#streams.get(bridge) ?? 1) - 1
      if (left > 0) {
        this.#streams.set(bridge, left)
        return
      }
      this.#streams.delete(bridge)
      this.expect([bridge])
    }
  }

  /** These should show themselves: an earlier host knew them. */
  expect(bridges: readonly string[]): void {
    for (const bridge of bridges) if (!this.#streams.has(bridge)) this.#missing.set(bridge, 0)
    if (this.#missing.size > 0) this.#timer ??= setInterval(() => this.#count(), this.#options.stepMs).unref()
  }

  has(bridge: string): boolean {
    return this.#streams.has(bridge)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#missing.clear()
  }

  #count(): void {
    for (const [bridge, awayMs] of [...this.#missing]) {
      const nowAwayMs = awayMs + this.#options.stepMs
      if (nowAwayMs < this.#options.graceMs) this.#missing.set(bridge, nowAwayMs)
      else {
        this.#missing.delete(bridge)
        this.#options.onGone(bridge)
      }
    }
    if (this.#missing.size === 0) this.close()
  }
}
