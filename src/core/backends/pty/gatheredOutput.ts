import { Flood, GATHER_MS } from '../flood'

/** Passed on without a wait: more in one piece saves nothing. */
const MAX_GATHERED_BYTES = 65_536

/**
 * A pty gives at most four kilobytes a read. What comes slowly is passed on as it comes; of a flood, the pieces of a
 * moment are passed on as one, so that what is done for every piece is done less often.
 */
export class GatheredOutput {
  readonly #pass: (bytes: Buffer) => void
  readonly #flood = new Flood()
  #pieces: Buffer[] = []
  #bytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass
  }

  push(bytes: Buffer): void {
    const isFlood = this.#flood.isOnAfter(bytes.length)
    this.#pieces.push(bytes)
    this.#bytes += bytes.length
    if (!isFlood || this.#bytes >= MAX_GATHERED_BYTES) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), GATHER_MS)
  }

  /** Nothing is held back any more. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const [first, ...more] = this.#pieces
    this.#pieces = []
    this.#bytes = 0
    if (first) this.#pass(more.length === 0 ? first : Buffer.concat([first, ...more]))
  }
}
