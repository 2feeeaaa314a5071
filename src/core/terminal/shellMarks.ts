const ESC = 0x1b
const BEL = 0x07
const BACKSLASH = 0x5c
// biome-ignore lint/suspicious/noControlCharactersInRegex: marks are escape sequences
const MARK_PREFIX = /\x1b\]133;([ABCDP]);tandem=$/
const DIRECTORY_PREFIX = '\x1b]7;file://'
const LONGEST_PREFIX = '\x1b]133;A;tandem='.length

/** What a shell that we set up says about itself, in the place of the stream where it says it. */
export type ShellMark =
  /** A prompt begins, is drawn. `exitCode`: that of the last command, should its end not have been told. */
  | { kind: 'promptStart' }
  | { kind: 'promptEnd'; exitCode: number | null }
  /** `command`: the line; undefined when the shell keeps it out of its history. */
  | { kind: 'commandStart'; command: string | undefined; isRepeat: boolean }
  | { kind: 'commandEnd'; exitCode: number; by: EndTeller }
  /** A line is not complete and the shell waits for the rest; or it makes no sense and is not run. */
  | { kind: 'unrun'; isIncomplete: boolean }
  | { kind: 'directory'; path: string }

/**
 * Who says that a command ended: the hook before each prompt; what the shell prints even before its hooks; or the prompt
 * itself, which is too late where a hook was there.
 */
export type EndTeller = 'hook' | 'sign' | 'prompt'

/** Bytes to pass on, and marks between them. */
export type MarkedPart = Buffer | ShellMark

/**
 * Takes the marks out that carry this terminal's nonce; nobody sees them. Everything else passes untouched, other marks
 * too: a printed file can hold any of them, but not the nonce.
 */
export class MarkFilter {
  readonly #nonce: Buffer

  constructor(nonce: string) {
    this.#nonce = Buffer.from(nonce, 'latin1')
  }

  /** Expects whole sequences. Without a mark the very bytes come back, uncopied: one search is all they cost. */
  split(bytes: Buffer): MarkedPart[] {
    let found = bytes.indexOf(this.#nonce)
    if (found === -1) return [bytes]
    const parts: MarkedPart[] = []
    let passed = 0
    while (found !== -1) {
      const mark = this.#markAround(bytes, found)
      if (mark && mark.from >= passed) {
        if (mark.from > passed) parts.push(bytes.subarray(passed, mark.from))
        parts.push(mark.mark)
        passed = mark.to
      }
      found = bytes.indexOf(this.#nonce, Math.max(passed, found + 1))
    }
    if (passed < bytes.length) parts.push(bytes.subarray(passed))
    return parts
  }

  #markAround(bytes: Buffer, found: number): { from: number; to: number; mark: ShellMark } | undefined {
    const before = bytes.toString('latin1', Math.max(0, found - LONGEST_PREFIX), found)
    const end = stringEnd(bytes, found + this.#nonce.length)
    if (!end) return undefined
    const rest = bytes.toString('utf8', found + this.#nonce.length, end.at)
    const [prefix, letter] = MARK_PREFIX.exec(before) ?? []
    if (prefix !== undefined) {
      const mark = markOf(letter ?? '', rest)
      return mark && { from: found - prefix.length, to: end.next, mark }
    }
    if (!before.endsWith(DIRECTORY_PREFIX) || !rest.startsWith('@')) return undefined
    const path = decoded(rest.slice(rest.indexOf('/')))
    if (!path?.startsWith('/')) return undefined
    return { from: found - DIRECTORY_PREFIX.length, to: end.next, mark: { kind: 'directory', path } }
  }
}

/** Where the string that holds `from` ends, and what comes after its terminator. */
function stringEnd(bytes: Buffer, from: number): { at: number; next: number } | undefined {
  for (let index = from; index < bytes.length; index++) {
    if (bytes[index] === BEL) return { at: index, next: index + 1 }
    if (bytes[index] === ESC) return bytes[index + 1] === BACKSLASH ? { at: index, next: index + 2 } : undefined
  }
  return undefined
}

function markOf(letter: string, rest: string): ShellMark | undefined {
  if (rest !== '' && !rest.startsWith(';')) return undefined
  const [first = '', second] = rest.slice(1).split(';')
  if (letter === 'A') return { kind: 'promptStart' }
  if (letter === 'P') return { kind: 'unrun', isIncomplete: first !== 'invalid' }
  if (letter === 'B') return { kind: 'promptEnd', exitCode: exitCodeOf(first) }
  if (letter === 'D') {
    const exitCode = exitCodeOf(first)
    const by = second === 'sign' || second === 'prompt' ? second : 'hook'
    return exitCode === null ? undefined : { kind: 'commandEnd', exitCode, by }
  }
  const command = first === '' && second === undefined ? undefined : decoded(first)
  return { kind: 'commandStart', command, isRepeat: second === 'repeat' }
}

function exitCodeOf(text: string): number | null {
  return /^\d{1,3}$/.test(text) ? Number(text) : null
}

/** Percent-encoded bytes as text; bytes that are no UTF-8 are shown as replacement characters. */
function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  const bytes = Buffer.from(text, 'utf8')
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const code =
      bytes[index] === 0x25 ? Number.parseInt(bytes.toString('latin1', index + 1, index + 3), 16) : Number.NaN
    if (!Number.isNaN(code)) index += 2
    out[length++] = Number.isNaN(code) ? (bytes[index] ?? 0) : code
  }
  return out.toString('utf8', 0, length)
}
