const ESC = 0x1b
const MARK_END = 0x07
/** Echo of more than this, and of four times what was typed, is nobody's typed line. */
const MAX_HELD_BYTES = 262_144
const ECHO_FACTOR = 4

/** A command in a shell that tells nothing by itself: two printed marks say where its output begins and ends. */
export interface MarkedCall {
  /** The random text of each mark, after `ESC ]` and before BEL; the end mark goes on with `;` and the exit code. */
  start: string
  end: string
  /** What people see instead of the line that was typed. */
  shown: Buffer
  typedBytes: number
  started(): void
  ended(exitCode: number | null): void
}

type StartedCall = Pick<MarkedCall, 'end' | 'ended'>

/**
 * Takes the marks of one call out of a terminal's bytes, and with them the echo of the line that prints them: people and
 * agents see the command alone. Without a call the bytes pass untouched.
 */
export class CallMarkers {
  #expected: MarkedCall | undefined
  #started: StartedCall | undefined
  readonly #doubts = new Set<() => void>()
  #held: Buffer[] = []
  #heldBytes = 0
  readonly #pass: (bytes: Buffer) => void

  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass
  }

  /** The end mark of the call that has begun and not ended. */
  get pending(): string | undefined {
    return this.#started?.end
  }

  /** Expects whole sequences. */
  push(bytes: Buffer): void {
    if (this.#started) this.#untilEnd(this.#started, bytes)
    else if (this.#expected) this.#untilStart(this.#expected, bytes)
    else this.#pass(bytes)
  }

  /** From now on its echo is held back. Returns how to give up while it has not started: then it looks as if typed. */
  expect(call: MarkedCall): () => void {
    this.#release()
    this.#expected = call
    this.#started = undefined
    return () => {
      if (this.#expected !== call) return
      this.#expected = undefined
      this.#held = []
      this.#heldBytes = 0
      this.#pass(call.shown)
    }
  }

  /** Goes on with a call that began under an earlier host. */
  resume(call: StartedCall): void {
    this.#started = call
  }

  /** The call is over and its end was never told: the line was interrupted, or its shell is gone. */
  abandon(): void {
    const call = this.#started
    this.#started = undefined
    call?.ended(null)
  }

  /** The end mark may never come: somebody interrupts the shell, which leaves out the rest of its line, or it was missed. */
  onDoubt(listener: () => void): () => void {
    this.#doubts.add(listener)
    return () => this.#doubts.delete(listener)
  }

  doubt(): void {
    for (const listener of this.#doubts) listener()
  }

  /** The program ended: nothing is held back any more. */
  end(): void {
    this.#expected = undefined
    this.#started = undefined
    this.#release()
  }

  #untilStart(call: MarkedCall, bytes: Buffer): void {
    const mark = markIn(bytes, call.start)
    if (!mark) {
      this.#hold(bytes, call)
      return
    }
    this.#held = []
    this.#heldBytes = 0
    this.#expected = undefined
    this.#started = call
    this.#pass(call.shown)
    call.started()
    if (mark.to < bytes.length) this.#untilEnd(call, bytes.subarray(mark.to))
  }

  #untilEnd(call: StartedCall, bytes: Buffer): void {
    const mark = markIn(bytes, call.end)
    if (!mark) {
      this.#pass(bytes)
      return
    }
    if (mark.from > 0) this.#pass(bytes.subarray(0, mark.from))
    this.#started = undefined
    call.ended(/^;\d{1,3}$/.test(mark.rest) ? Number(mark.rest.slice(1)) : null)
    if (mark.to < bytes.length) this.#pass(bytes.subarray(mark.to))
  }

  #hold(bytes: Buffer, { typedBytes }: MarkedCall): void {
    this.#held.push(Buffer.from(bytes))
    this.#heldBytes += bytes.length
    if (this.#heldBytes > MAX_HELD_BYTES + ECHO_FACTOR * typedBytes) this.#release()
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
