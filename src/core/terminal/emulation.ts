import { WaitingBytes } from './backlog'

/** Something that works through a queue in small steps. */
export interface Emulated {
  /** Does one short piece of work (about a millisecond); true when more is waiting. */
  step(): boolean
}

/** One turn of the event loop gives emulation this long in all: keys and sockets are served in between. */
const TURN_BUDGET_MS = 6

/**
 * Shares one time budget among all emulators. Terminals with queued bytes take turns; a terminal that has none is
 * served at once, so that the echo of a key does not wait for another terminal's flood.
 */
export class Emulation {
  readonly waiting = new WaitingBytes()
  readonly #ready = new Set<Emulated>()
  #scheduled: NodeJS.Immediate | undefined
  #spentAtOnceMs = 0

  /** `emulated` has work: it takes its place in the round. */
  enqueue(emulated: Emulated): void {
    this.#ready.add(emulated)
    this.#schedule()
  }

  /** Runs one step now if this turn's budget allows; whatever is left takes its place in the round. */
  atOnce(emulated: Emulated): void {
    if (this.#spentAtOnceMs >= TURN_BUDGET_MS) {
      this.enqueue(emulated)
      return
    }
    const started = performance.now()
    const more = emulated.step()
    this.#spentAtOnceMs += performance.now() - started
    if (more) this.#ready.add(emulated)
    this.#schedule()
  }

  remove(emulated: Emulated): void {
    this.#ready.delete(emulated)
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#scheduled = undefined
    const deadline = performance.now() + TURN_BUDGET_MS - this.#spentAtOnceMs
    this.#spentAtOnceMs = 0
    // At least one step, so that those who wait get on however much was done at once.
    do {
      const [emulated] = this.#ready
      if (!emulated) return
      this.#ready.delete(emulated)
      if (emulated.step()) this.#ready.add(emulated)
    } while (performance.now() < deadline)
    if (this.#ready.size > 0) this.#schedule()
  }
}
