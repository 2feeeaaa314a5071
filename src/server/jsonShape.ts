/** Deeper than any honest call. */
const MAX_DEPTH = 64
/** More than any honest call holds: the longest is the new order of as many terminals as can be allowed, 10,000. */
const MAX_PARTS = 20_000

export const SHAPE_LIMITS = `At most ${MAX_DEPTH} levels and ${MAX_PARTS} elements.`

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d]

/**
 * Follows JSON that is still bytes, as they come: a parser takes a hundred times as long for many small things as for
 * one long text, and a schema longer still. However long a text is, it counts as one part.
 */
export class JsonShape {
  #depth = 0
  #parts = 1
  #isInText = false
  #isEscaped = false

  /** Takes the next bytes; false as soon as it is all too deep or too many. */
  isUsableWith(bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      if (this.#isInText) this.#textByte(byte)
      else if (!this.#mayHave(byte)) return false
    }
    return true
  }

  #textByte(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#isInText = false
  }

  #mayHave(byte: number): boolean {
    if (byte === QUOTE) this.#isInText = true
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth += 1
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1
    if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) this.#parts += 1
    return this.#depth <= MAX_DEPTH && this.#parts <= MAX_PARTS
  }
}
