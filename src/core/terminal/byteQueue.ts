/** Pieces below this are gathered into blocks: a thousand one-byte writes must not become a thousand buffers. */
const SMALL_BYTES = 4096
const BLOCK_BYTES = 16_384

/** Of a character in UTF-8. */
const MAX_CHARACTER_BYTES = 4

const NOTHING = Buffer.alloc(0)

/** Bytes in the order they came, taken out in pieces. Small pieces are copied together, large ones kept as they are. */
export class ByteQueue {
  readonly #pieces: Buffer[] = []
  #first = 0
  #headUsed = 0
  #block = NOTHING
  #blockUsed = 0
  /** The last piece lies at the end of the block and may grow. */
  #open = false
  #size = 0

  get size(): number {
    return this.#size
  }

  /** True where a pushed piece ended, or several that were gathered: nothing is cut in two here. */
  get atBoundary(): boolean {
    return this.#headUsed === 0
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#size += bytes.length
    if (bytes.length < SMALL_BYTES) this.#gather(bytes)
    else {
      this.#open = false
      this.#pieces.push(bytes)
    }
  }

  /** At most `maxBytes` from the front, out of one piece, cut between characters. */
  takePiece(maxBytes: number): Buffer {
    const head = this.#pieces[this.#first]
    if (head === undefined) return NOTHING
    const end = betweenCharacters(head, this.#headUsed + maxBytes)
    const taken = head.subarray(this.#headUsed, Math.max(this.#headUsed, end))
    this.#headUsed += taken.length
    this.#size -= taken.length
    if (this.#headUsed === head.length) this.#dropHead()
    return taken
  }

  /** At most `maxBytes` from the front, as one buffer. */
  take(maxBytes: number): Buffer {
    const first = this.takePiece(maxBytes)
    if (first.length === 0 || first.length === maxBytes || this.#size === 0) return first
    const parts = [first]
    let total = first.length
    while (total < maxBytes && this.#size > 0) {
      const part = this.takePiece(maxBytes - total)
      if (part.length === 0) break
      parts.push(part)
      total += part.length
    }
    return Buffer.concat(parts, total)
  }

  #gather(bytes: Buffer): void {
    if (this.#block.length - this.#blockUsed < bytes.length) {
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
      this.#blockUsed = 0
      this.#open = false
    }
    if (!this.#open) this.#pieces.push(NOTHING)
    this.#open = true
    const last = this.#pieces.length - 1
    const start = this.#blockUsed - (this.#pieces[last]?.length ?? 0)
    bytes.copy(this.#block, this.#blockUsed)
    this.#blockUsed += bytes.length
    this.#pieces[last] = this.#block.subarray(start, this.#blockUsed)
  }

  #dropHead(): void {
    this.#pieces[this.#first++] = NOTHING
    this.#headUsed = 0
    if (this.#first === this.#pieces.length) this.#open = false
    if (this.#first === this.#pieces.length || this.#first > 1024) {
      this.#pieces.splice(0, this.#first)
      this.#first = 0
    }
  }
}

/** `at`, or a little before it where a character of several bytes would be cut: the emulator loses some that are. */
function betweenCharacters(bytes: Buffer, at: number): number {
  if (at >= bytes.length) return at
  const isInside = (index: number): boolean => ((bytes[index] ?? 0) & 0xc0) === 0x80
  for (let back = 0; back < MAX_CHARACTER_BYTES; back++) if (!isInside(at - back)) return at - back
  return at
}
