import type { Logger } from '../log'

/** Offsets are set aside with the program in steps of this size, so that a new host never hands out one twice. */
export const OFFSET_STEP_BYTES = 67_108_864
/** After a failure the next try comes with this much more output, not with every byte. */
const RETRY_BYTES = 1_048_576

/** Keeps the offset that is set aside with the program well ahead of the log. */
export class OffsetReservation {
  readonly #remember: (reservedOffset: number) => Promise<void>
  readonly #log: Logger
  #reserved: number
  #nextAt: number
  #busy: Promise<void> | undefined

  constructor(reserved: number, { remember, log }: { remember: (offset: number) => Promise<void>; log: Logger }) {
    this.#reserved = reserved
    this.#remember = remember
    this.#log = log
    this.#nextAt = reserved - OFFSET_STEP_BYTES / 2
  }

  /** The log has reached `end`. Sets the next step aside while half of the last one is still free. */
  reached(end: number): Promise<void> {
    if (end < this.#nextAt) return Promise.resolve()
    this.#busy ??= this.#reserve(end).finally(() => {
      this.#busy = undefined
    })
    return this.#busy
  }

  async #reserve(end: number): Promise<void> {
    const next = Math.max(this.#reserved, end) + OFFSET_STEP_BYTES
    try {
      await this.#remember(next)
      this.#reserved = next
      this.#nextAt = next - OFFSET_STEP_BYTES / 2
    } catch (thrown) {
      this.#nextAt = end + RETRY_BYTES
      this.#log.warn({ err: thrown, reservedOffset: next }, 'output offsets could not be set aside')
    }
  }
}
