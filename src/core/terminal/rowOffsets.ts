import { isAscii } from 'node:buffer'
import type { EmulatorState, RowState } from './emulator'

const OFFSET = Symbol('offset')

type Row = RowState['_line'] & { [OFFSET]?: number }
/** A row that was begun, and the character of the piece it begins with. */
interface Beginning {
  row: Row
  character: number
}

/**
 * Remembers with each row where in the output its text began. Rows keep it while they scroll and when they are wrapped
 * anew, because it lies in the emulator's own row; one that is written again from its first column begins again.
 */
export class RowOffsets {
  readonly #state: EmulatorState
  #begun: Beginning[] = []
  #last: Row | undefined
  #isNoting = false

  constructor(state: EmulatorState) {
    this.#state = state
    const { _inputHandler: input } = state
    input._parser.setPrintHandler((text, start, end) => {
      if (this.#isNoting) this.#note(start)
      input.print(text, start, end)
    })
  }

  /** Lets the emulator parse one piece of output that begins at `offset`. */
  during(bytes: Uint8Array, offset: number, parse: () => void): void {
    this.#isNoting = true
    try {
      parse()
    } finally {
      this.#isNoting = false
      this.#settle(bytes, offset)
    }
  }

  /** Where the text of this row began; undefined when it is no output that was seen. */
  of(row: number): number | undefined {
    return (this.#state.buffers.active.lines.get(row) as Row | undefined)?.[OFFSET]
  }

  #note(character: number): void {
    const { x, y, ybase, lines } = this.#state.buffers.active
    const row = lines.get(ybase + y) as Row | undefined
    if (!row) return
    // A row that is taken into use again after it was dropped is blank, and still says where its old text began.
    if (x === 0 || (row !== this.#last && (row[OFFSET] === undefined || row.getTrimmedLength() === 0))) {
      this.#begun.push({ row, character })
    }
    this.#last = row
  }

  #settle(bytes: Uint8Array, offset: number): void {
    if (this.#begun.length === 0) return
    const byteOf = isAscii(bytes) ? (character: number) => character : counter(bytes)
    for (const { row, character } of this.#begun) row[OFFSET] = offset + byteOf(character)
    this.#begun = []
  }
}

/** For characters in rising order: the byte each begins at. */
function counter(bytes: Uint8Array): (character: number) => number {
  let byte = 0
  let passed = 0
  return (character) => {
    while (passed < character && byte < bytes.length) {
      byte++
      while (byte < bytes.length && ((bytes[byte] ?? 0) & 0xc0) === 0x80) byte++
      passed++
    }
    return byte
  }
}
