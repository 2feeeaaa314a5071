/** A host that says nothing for four of these is silent: a person is told within five seconds, on a busy machine too. */
const TICK_MS = 1_125
/** The first of them asks it to say something. */
const MAX_MISSED = 3

interface HostBeatOptions {
  /** Asks the host for any answer. */
  ask(): void
  /** It said nothing for too long. */
  onSilence(): void
}

/**
 * Notices a host that hangs while its connection stands. Ticks are counted, not time: a page that slept, or whose timers
 * the browser holds back, blames nobody.
 */
export class HostBeat {
  readonly #options: HostBeatOptions
  #timer: ReturnType<typeof setInterval> | undefined
  #hasHeard = true
  #missed = 0

  constructor(options: HostBeatOptions) {
    this.#options = options
  }

  start(): void {
    this.stop()
    this.heard()
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  heard(): void {
    this.#hasHeard = true
    this.#missed = 0
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #tick(): void {
    if (this.#hasHeard) {
      this.#hasHeard = false
      return
    }
    this.#missed += 1
    if (this.#missed === 1) this.#options.ask()
    if (this.#missed < MAX_MISSED) return
    this.stop()
    this.#options.onSilence()
  }
}
