const ESC = 0x1b
const MARK_END = 0x07
/** Echo of more than this is nobody's typed line. */
const MAX_HELD_BYTES = 262_144

/** A command in a shell that tells nothing by itself: two printed marks say where its output begins and ends. */
export interface MarkedCall {
  /** The random text of each mark, after `ESC ]` and before BEL; the end mark goes on with `;` and the exit code. */
  start: string
  end: string
  /** What people see instead of the line that was typed. */
  shown: Buffer
  started(): void
  ended(exitCode: number | null): void
}

/**
 * Takes the marks of one call out of a terminal's bytes, and with them the echo of the line that prints them: people and
 * agents see the command alone. Without a call the bytes pass untouched.
 */
export class CallMarkers {
  #call: MarkedCall | undefined
  #hasStarted = false
  #held: Buffer[] = []
  #heldBytes = 0
  readonly #pass: (bytes: Buffer) => void

  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass
  }

  /** Expects whole sequences. */
  push(bytes: Buffer): void {
    if (!this.#call) this.#pass(bytes)
    else if (this.#hasStarted) this.#untilEnd(this.#call, bytes)
    else this.#untilStart(this.#call, bytes)
  }

  /** From now on its echo is held back. Returns how to give up while it has not started: then it looks as if typed. */
  expect(call: MarkedCall): () => void {
    this.#release()
    this.#call = call
    this.#hasStarted = false
    return () => {
      if (this.#call !== call || this.#hasStarted) return
      this.#call = undefined
      this.#held = []
      this.#heldBytes = 0
      this.#pass(call.shown)
    }
  }

  /** The program ended: nothing is held back any more. */
  end(): void {
    this.#call = undefined
    this.#release()
  }

  #untilStart(call: MarkedCall, bytes: Buffer): void {
    const mark = markIn(bytes, call.start)
    if (!mark) {
      this.#hold(bytes)
      return
    }
    this.#held = []
    this.#heldBytes = 0
    this.#hasStarted = true
    this.#pass(call.shown)
    call.started()
    if (mark.to < bytes.length) this.#untilEnd(call, bytes.subarray(mark.to))
  }

  #untilEnd(call: MarkedCall, bytes: Buffer): void {
    const mark = markIn(bytes, call.end)
    if (!mark) {
      this.#pass(bytes)
      return
    }
    if (mark.from > 0) this.#pass(bytes.subarray(0, mark.from))
    this.#call = undefined
    call.ended(/^;\d{1,3}$/.test(mark.rest) ? Number(mark.rest.slice(1)) : null)
    if (mark.to < bytes.length) this.#pass(bytes.subarray(mark.to))
  }

  #hold(bytes: Buffer): void {
    this.#held.push(Buffer.from(bytes))
    this.#heldBytes += bytes.length
    if (this.#heldBytes > MAX_HELD_BYTES) this.#release()
  }

  #release(): void {
    const held = Buffer.concat(this.#held.splice(0))
    this.#heldBytes = 0
    if (held.length > 0) this.#pass(held)
  }
}

/** The mark as a terminal would see it: the echo of the line that prints it has no escape character. */
function markIn(bytes: Buffer, text: string): { from: number; to: number; rest: string } | undefined {
  const found = bytes.indexOf(`\x1b]${text}`, 0, 'latin1')
  if (found === -1 || bytes[found] !== ESC) return undefined
  const end = bytes.indexOf(MARK_END, found)
  if (end === -1) return undefined
  return { from: found, to: end + 1, rest: bytes.toString('latin1', found + 2 + text.length, end) }
}
