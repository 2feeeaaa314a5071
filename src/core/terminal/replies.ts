// What emulators send by themselves when a program asks them something. Each alternative is one whole reply.
const REPLY = new RegExp(
  [
    '\\[[?>=]?[\\d;]*c', // DA1, DA2, and DA3 in its CSI forms
    '\\[\\??\\d*n', // DSR: 0n "OK", ?…n printer, keyboard, locator
    '\\[\\?\\d+;\\d+(?:;\\d+)?R', // DECXCPR
    '\\[(?!1;[2-8]R)\\d+;\\d+R', // CPR; see below
    '\\[\\??\\d+;\\d+\\$y', // DECRPM
    '\\[[3-9](?:;\\d+){0,2}t', // window reports
    '\\[\\?\\d+u', // kitty keyboard flags
    '\\[\\?[\\d;]*S', // XTSMGRAPHICS
    'P[01]\\$r[^\\x1b\\x07]*(?:\\x1b\\\\|\\x07)', // DECRQSS
    'P>\\|[^\\x1b]*\\x1b\\\\', // XTVERSION
    'P!\\|[^\\x1b]*\\x1b\\\\', // DA3
    'P[01]\\+r[^\\x1b]*\\x1b\\\\', // XTGETTCAP
    '\\](?:4;\\d+|5;\\d+|1\\d);(?:rgba?:[\\da-fA-F/]+|#[\\da-fA-F]+)(?:\\x1b\\\\|\\x07)', // colours
    '\\]52;[^;\\x1b\\x07]*;[^\\x1b\\x07]*(?:\\x1b\\\\|\\x07)', // clipboard
    '\\][lL][^\\x1b\\x07]*\\x1b\\\\', // title and icon reports
    '_G[^\\x1b]*\\x1b\\\\' // kitty graphics
  ]
    .map((reply) => `\\x1b${reply}`)
    .join('|'),
  'g'
)

const ESC = 0x1b
const PASTE_BEGINS = '\x1b[200~'
const PASTE_ENDS = '\x1b[201~'
/** A client that says that a paste begins, and never that it ends, is held to its replies again after this. */
const PASTE_SILENCE_MS = 1000

/**
 * One viewer's input without its emulator's replies to queries: the program has one answerer, and it is not a viewer.
 * Keys pass, focus reports pass, and so does everything inside a bracketed paste, in however many pieces it comes.
 * `CSI 1;2R` to `CSI 1;8R` is both F3 with a modifier and a cursor report from row 1, columns 2 to 8; it passes as the
 * key, because a lost key is noticed and a viewer is never asked where its cursor is.
 */
export class InputFilter {
  #isPasting = false
  /** The end of the last piece of a paste, in which its closing mark may have begun. */
  #tail = ''
  #lastMs = 0

  take(bytes: Uint8Array): Uint8Array {
    const nowMs = performance.now()
    if (nowMs - this.#lastMs > PASTE_SILENCE_MS) this.#isPasting = false
    this.#lastMs = nowMs
    if (!this.#isPasting && !bytes.includes(ESC)) return bytes
    // latin1 maps every byte to one character and back.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    const kept = this.#kept(text)
    return kept.length === text.length ? bytes : Buffer.from(kept, 'latin1')
  }

  #kept(text: string): string {
    let kept = ''
    let rest = text
    while (rest !== '') {
      const length = this.#isPasting ? this.#pastedLength(rest) : lengthUpTo(rest, PASTE_BEGINS)
      const part = rest.slice(0, length)
      kept += this.#isPasting ? part : part.replace(REPLY, '')
      rest = rest.slice(length)
      if (this.#isPasting) this.#tail = (this.#tail + part).slice(-PASTE_ENDS.length)
      this.#isPasting = this.#isPasting ? this.#tail !== PASTE_ENDS : part.endsWith(PASTE_BEGINS)
      if (!this.#isPasting) this.#tail = ''
    }
    return kept
  }

  #pastedLength(text: string): number {
    return lengthUpTo(this.#tail + text, PASTE_ENDS) - this.#tail.length
  }
}

/** Up to and with the first such mark; all of it where there is none. */
function lengthUpTo(text: string, mark: string): number {
  const at = text.indexOf(mark)
  return at === -1 ? text.length : at + mark.length
}
