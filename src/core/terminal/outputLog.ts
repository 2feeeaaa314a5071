import type { KeptOutput } from './keptOutput'

export interface LogLimits {
  maxBytes: number
  maxChunks: number
}

export interface LogRead {
  bytes: Buffer
  /** Offset of the first returned byte. */
  from: number
  /** First offset not returned: where the next read continues. */
  next: number
  /** Offsets between what was asked for and `from`. */
  dropped: number
  /** False when more or fewer bytes than `dropped` may be missing: the host was away, or output was missed. */
  droppedExact: boolean
}

interface Block {
  start: number
  data: Buffer
  used: number
}

/** Output is copied into blocks of this size: thousands of tiny buffers cost more than the bytes in them. */
const BLOCK_BYTES = 32_768

const NOTHING = Buffer.alloc(0)

/** A terminal's output by absolute offset since it began. Bounded: the oldest bytes go first, and are counted. */
export class OutputLog {
  readonly #limits: () => LogLimits
  readonly #blocks: Block[] = []
  /** Start offset of each kept chunk; `#firstChunk` is the index of the oldest. */
  #chunks: number[] = []
  #firstChunk = 0
  /** Offsets where output continued after an unknown loss; those at or before `start` shrink to the newest one. */
  #gapEnds: number[] = []
  #start: number
  #end: number
  #lastAppendMs = 0

  /** A log that begins after 0 continues one whose bytes are gone: what lies before is missing, and not exactly known. */
  constructor(limits: () => LogLimits, beginsAt = 0) {
    this.#limits = limits
    this.#start = beginsAt
    this.#end = beginsAt
    if (beginsAt > 0) this.#gapEnds.push(beginsAt)
  }

  /** What an earlier host kept of this output, before anything is appended; the end stays where it is. */
  restore(kept: readonly KeptOutput[]): void {
    const begins = this.#end
    const [first] = kept
    if (!first || first.from >= begins || this.#start !== this.#end) return
    this.#gapEnds = first.from > 0 ? [first.from] : []
    this.#start = first.from
    this.#end = first.from
    for (const { from, bytes } of kept) {
      if (from < this.#end || from + bytes.length > begins) break
      if (from > this.#end) this.#gapEnds.push(from)
      this.#end = from
      this.append(bytes)
    }
    // What was printed while no host listened is missing.
    this.#end = begins
    this.#gapEnds.push(begins)
  }

  /** Offset of the oldest kept byte. */
  get start(): number {
    return this.#start
  }

  /** Offset after the newest byte. */
  get end(): number {
    return this.#end
  }

  /** When the newest byte came; 0 before the first. */
  get lastAppendMs(): number {
    return this.#lastAppendMs
  }

  /** From here to the end nothing is missing. */
  get unbrokenFrom(): number {
    return Math.max(this.#start, this.#gapEnds.at(-1) ?? 0)
  }

  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#chunks.push(this.#end)
    this.#lastAppendMs = Date.now()
    let copied = 0
    while (copied < bytes.length) {
      const block = this.#blockWithRoom()
      const part = bytes.subarray(copied, copied + block.data.length - block.used)
      block.data.set(part, block.used)
      block.used += part.length
      copied += part.length
      this.#end += part.length
    }
    this.#trim()
  }

  /** Output of unknown length was missed here: one offset stands for it, so that no reader passes over it unawares. */
  gap(): void {
    this.#end += 1
    if (this.#chunks.length === this.#firstChunk) this.#start = this.#end
    this.#gapEnds.push(this.#end)
    this.#forgetOldGaps()
  }

  read(from: number, maxBytes: number): LogRead {
    const wanted = Math.min(Math.max(0, from), this.#end)
    const first = this.#firstKept(wanted)
    const bytes = this.#copy(first, maxBytes)
    return {
      bytes,
      from: first,
      next: first + bytes.length,
      dropped: first - wanted,
      droppedExact: !this.#gapEnds.some((gapEnd) => gapEnd > wanted && gapEnd <= first)
    }
  }

  /** Where the last `count` chunks begin. */
  chunkStart(count: number): number {
    const index = Math.max(this.#firstChunk, this.#chunks.length - count)
    return Math.max(this.#start, this.#chunks[index] ?? this.#end)
  }

  /** The last `count` chunks as they came, oldest first. */
  chunks(count: number): Buffer[] {
    const starts = this.#chunks.slice(Math.max(this.#firstChunk, this.#chunks.length - count))
    return starts.map((start, index) => {
      const from = Math.max(start, this.#start)
      return this.#copy(from, (starts[index + 1] ?? this.#end) - from)
    })
  }

  #blockWithRoom(): Block {
    const last = this.#blocks.at(-1)
    if (last && last.used < last.data.length && last.start + last.used === this.#end) return last
    const block = { start: this.#end, data: Buffer.allocUnsafeSlow(BLOCK_BYTES), used: 0 }
    this.#blocks.push(block)
    return block
  }

  #firstKept(offset: number): number {
    const wanted = Math.max(offset, this.#start)
    const block = this.#blocks.find(({ start, used }) => wanted < start + used)
    return block ? Math.max(wanted, block.start) : this.#end
  }

  #copy(from: number, maxBytes: number): Buffer {
    const parts: Buffer[] = []
    let position = from
    let room = maxBytes
    for (const { start, data, used } of this.#blocks) {
      if (start + used <= position) continue
      if (start > position || room <= 0) break
      const part = data.subarray(position - start, Math.min(used, position - start + room))
      parts.push(part)
      position += part.length
      room -= part.length
    }
    return parts.length === 0 ? NOTHING : Buffer.concat(parts)
  }

  #trim(): void {
    const { maxBytes, maxChunks } = this.#limits()
    while (this.#chunks.length - this.#firstChunk > 1 && this.#isOver(maxBytes, maxChunks)) {
      this.#firstChunk++
      this.#start = this.#chunks[this.#firstChunk] ?? this.#end
    }
    this.#start = Math.max(this.#start, this.#end - maxBytes)
    while (this.#blocks[0] && this.#blocks[0].start + this.#blocks[0].used <= this.#start) this.#blocks.shift()
    if (this.#firstChunk > maxChunks) {
      this.#chunks = this.#chunks.slice(this.#firstChunk)
      this.#firstChunk = 0
    }
    this.#forgetOldGaps()
  }

  #isOver(maxBytes: number, maxChunks: number): boolean {
    return this.#end - this.#start > maxBytes || this.#chunks.length - this.#firstChunk > maxChunks
  }

  #forgetOldGaps(): void {
    while (this.#gapEnds[1] !== undefined && this.#gapEnds[1] <= this.#start) this.#gapEnds.shift()
  }
}
