import { Flood, GATHER_MS } from '../flood'

/** Passed on without a wait: more in one piece saves nothing. */
const MAX_GATHERED_BYTES = 65_536

export interface OutputWay {
  /** Reads what is there already to where it fits, without a wait, and says how much that is. */
  readMore(into: Buffer): number
  pass(bytes: Buffer): void
}

/**
 * A pty gives at most four kilobytes a read, and the event loop makes one read a turn. What comes slowly is passed on as it
 * comes; of a flood more is read at once, and the pieces of a moment are passed on as one, so that what is done for every
 * piece is done less often.
 */
export class GatheredOutput {
  readonly #way: OutputWay
  readonly #flood = new Flood()
  #gathered: Buffer | undefined
  #bytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(way: OutputWay) {
    this.#way = way
  }

  push(bytes: Buffer): void {
    const isFlood = this.#flood.isOnAfter(bytes.length)
    if (this.#bytes + bytes.length > MAX_GATHERED_BYTES) this.flush()
    if (bytes.length >= MAX_GATHERED_BYTES || (!isFlood && this.#bytes === 0)) {
      this.#way.pass(bytes)
      return
    }
    this.#gather(bytes)
    if (isFlood) this.#readMore()
    if (!isFlood || this.#bytes === MAX_GATHERED_BYTES) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), GATHER_MS)
  }

  /** Nothing is held back any more. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const gathered = this.#gathered?.subarray(0, this.#bytes)
    this.#gathered = undefined
    this.#bytes = 0
    if (!gathered) return
    // Who keeps it keeps all the memory behind it.
    this.#way.pass(gathered.length < MAX_GATHERED_BYTES / 2 ? Buffer.from(gathered) : gathered)
  }

  #gather(bytes: Buffer): void {
    this.#gathered ??= Buffer.allocUnsafeSlow(MAX_GATHERED_BYTES)
    this.#bytes += bytes.copy(this.#gathered, this.#bytes)
  }

  #readMore(): void {
    while (this.#gathered && this.#bytes < MAX_GATHERED_BYTES) {
      const length = this.#way.readMore(this.#gathered.subarray(this.#bytes))
      if (length === 0) return
      this.#bytes += length
      this.#flood.isOnAfter(length)
    }
  }
}
