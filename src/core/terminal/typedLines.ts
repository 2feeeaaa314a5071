/** The newest lines count. */
const MAX_LINES = 200
const MAX_LINE_CHARACTERS = 16_384
/** A terminal shows what is typed at once; what it has not shown after this long it never will. */
const ECHO_LIMIT_MS = 2_000
/** So much output is looked at for it, beyond the line itself. */
const ECHO_BYTES = 8_192

// biome-ignore lint/suspicious/noControlCharactersInRegex: keys that write no letter are sequences of these
const NO_LETTER = /\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b./gs
// biome-ignore lint/suspicious/noControlCharactersInRegex: what writes letters and what does not
const RUNS = /[^\x00-\x1f\x7f]+|[\x00-\x1f\x7f]/g
const BACKSPACE = ['\x7f', '\b']
/** Keys that throw the line away: interrupt, end of input, kill the line. */
const DISCARD = ['\x03', '\x04', '\x15']

export interface TypedLinesOptions {
  /** The end of the output now. */
  offset(): number
  /** Output from an offset on. */
  read(from: number, maxBytes: number): Buffer
  /** The rows of the screen as they are now. */
  screen(): string[]
  /** A prompt that hides what is typed is known to wait. */
  isHidden(): boolean
}

interface Entered {
  line: string
  /** Where its echo can begin. */
  from: number
}

/**
 * The lines that anyone entered, found by the Enter key: for programs that do not say what their commands are. Only what
 * the terminal then showed is kept, so that nothing typed at a prompt for a password is.
 */
export class TypedLines {
  readonly #options: TypedLinesOptions
  #lines: string[] = []
  #entered: Entered[] = []
  #line = ''
  #from: number | undefined
  #isHidden = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: TypedLinesOptions) {
    this.#options = options
  }

  /** Oldest first. */
  all(): string[] {
    this.#confirm()
    return [...this.#lines]
  }

  /** Bytes on their way to the program. */
  add(bytes: Uint8Array): void {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').replace(NO_LETTER, '')
    // Asked once: a paste may have a million characters.
    const isHidden = this.#options.isHidden()
    for (const [run] of text.matchAll(RUNS)) this.#key(run, isHidden)
  }

  /** The terminal is over. */
  close(): void {
    clearTimeout(this.#timer)
    this.#confirm()
    this.#entered = []
    this.#line = ''
  }

  /** One key that writes nothing, or letters typed one after the other. */
  #key(run: string, isHidden: boolean): void {
    if (run === '\r' || run === '\n') this.#enter(isHidden)
    else if (DISCARD.includes(run)) this.#begin()
    else if (BACKSPACE.includes(run)) this.#line = this.#line.slice(0, -1)
    else if (run >= ' ') {
      this.#from ??= this.#options.offset()
      this.#isHidden ||= isHidden
      this.#line += run.slice(0, MAX_LINE_CHARACTERS - this.#line.length)
    }
  }

  #enter(isHiddenNow: boolean): void {
    const line = this.#line.trim()
    const isHidden = this.#isHidden || isHiddenNow
    if (line !== '' && !isHidden) {
      this.#entered = [...this.#entered.slice(1 - MAX_LINES), { line, from: this.#from ?? this.#options.offset() }]
      this.#timer ??= setTimeout(() => this.#settle(), ECHO_LIMIT_MS).unref()
    }
    this.#begin()
  }

  #begin(): void {
    this.#line = ''
    this.#from = undefined
    this.#isHidden = false
  }

  #settle(): void {
    this.#timer = undefined
    const waited = new Set(this.#entered)
    this.#confirm()
    this.#entered = this.#entered.filter((entered) => !waited.has(entered))
  }

  #confirm(): void {
    const shown = this.#entered.filter((entered) => this.#isShown(entered))
    this.#lines = [...this.#lines, ...shown.map(({ line }) => line)].slice(-MAX_LINES)
    this.#entered = this.#entered.filter((entered) => !shown.includes(entered))
  }

  #isShown({ line, from }: Entered): boolean {
    const bytes = this.#options.read(from, ECHO_BYTES + 4 * line.length)
    const ends = (shown: string): boolean => shown.trimEnd().endsWith(line)
    // Shells that colour what is typed draw it again and again: it is found where it stands on the screen.
    return shownLines(bytes.toString('utf8')).some(ends) || this.#options.screen().some(ends)
  }
}

/** What lines look like that were typed, corrected and perhaps drawn again. */
function shownLines(output: string): string[] {
  const lines: string[] = []
  let line: string[] = []
  let column = 0
  for (const character of output.replace(NO_LETTER, '')) {
    if (character === '\n') {
      lines.push(line.join(''))
      line = []
    } else if (character === '\r') column = 0
    else if (character === '\b') column = Math.max(0, column - 1)
    else if (character >= ' ') {
      line[column] = character
      column++
    }
    if (character === '\n') column = 0
  }
  return [...lines, line.join('')]
}
