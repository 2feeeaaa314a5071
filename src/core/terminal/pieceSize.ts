/** Less than a millisecond of parsing: between pieces other terminals and the event loop get their turn. */
export const PIECE_BYTES = 16_384
/** What costs more (scrolling a tall screen again and again) is taken in smaller pieces, down to these. */
const MIN_PIECE_BYTES = 64
const MAX_PIECE_MS = 2

/** How much an emulator is given at a time: less while its output is dear to parse. */
export class PieceSize {
  #bytes = PIECE_BYTES

  get bytes(): number {
    return this.#bytes
  }

  spent(bytes: number, spentMs: number): void {
    const fitting = Math.floor((bytes * MAX_PIECE_MS) / (2 * spentMs))
    if (spentMs > MAX_PIECE_MS) this.#bytes = Math.max(MIN_PIECE_BYTES, fitting)
    else if (bytes >= this.#bytes) this.#bytes = Math.min(PIECE_BYTES, this.#bytes * 2)
  }
}
