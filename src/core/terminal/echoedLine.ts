/** So much tells whether anything was shown, and how it began. */
const KEPT_BYTES = 1_024

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed here
const NOT_TEXT = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x1f\x7f]/g

/** What the shell showed of the line being typed, from the end of its prompt on. */
export class EchoedLine {
  #parts: Buffer[] | undefined
  #length = 0

  /** A prompt ends here. */
  begin(): void {
    this.#parts = []
    this.#length = 0
  }

  /** The line is over. */
  end(): void {
    this.#parts = undefined
  }

  push(bytes: Buffer): void {
    if (!this.#parts || this.#length >= KEPT_BYTES) return
    this.#length += bytes.length
    this.#parts.push(Buffer.from(bytes.subarray(0, KEPT_BYTES)))
  }

  /** Without sequences and controls; undefined when it is not known where the line began. */
  get text(): string | undefined {
    return this.#parts && Buffer.concat(this.#parts).toString('utf8').replace(NOT_TEXT, '')
  }
}
