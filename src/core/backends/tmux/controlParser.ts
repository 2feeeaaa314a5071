/** The answer to one command: what it printed, and whether tmux refused it. */
export interface Block {
  refused: boolean
  lines: string[]
}

export interface ControlEvents {
  block(block: Block): void
  /** A `%…` line between answers. */
  notification(line: string): void
}

const NEWLINE = 0x0a
const BEGIN = /^%begin (\d+ \d+) /
const END = /^%(end|error) (\d+ \d+) /

/**
 * Reads tmux's control protocol: answers between `%begin` and the `%end` or `%error` with the same time and number.
 * Works on bytes and decodes whole lines only, so a chunk may end inside a character.
 */
export class ControlParser {
  readonly #events: ControlEvents
  #parts: Buffer[] = []
  #open: { key: string; lines: string[] } | undefined

  constructor(events: ControlEvents) {
    this.#events = events
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#lineUpTo(chunk, start, end)
      start = end + 1
      this.#line(line)
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start))
  }

  #lineUpTo(chunk: Buffer, start: number, end: number): string {
    if (this.#parts.length === 0) return chunk.toString('utf8', start, end)
    const parts = [...this.#parts, chunk.subarray(start, end)]
    this.#parts = []
    return Buffer.concat(parts).toString('utf8')
  }

  #line(line: string): void {
    if (this.#open) {
      this.#insideBlock(this.#open, line)
      return
    }
    const begin = BEGIN.exec(line)
    if (begin?.[1] !== undefined) this.#open = { key: begin[1], lines: [] }
    else if (line.startsWith('%')) this.#events.notification(line)
  }

  #insideBlock(open: { key: string; lines: string[] }, line: string): void {
    const end = END.exec(line)
    if (end?.[2] !== open.key) {
      open.lines.push(line)
      return
    }
    this.#open = undefined
    this.#events.block({ refused: end[1] === 'error', lines: open.lines })
  }
}
