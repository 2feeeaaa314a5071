import { InputFilter } from '../../core/terminal/replies'
import { type DetachKey, sequenceOf } from './detachKey'

const PASTE_BEGINS = '\x1b[200~'
const PASTE_ENDS = '\x1b[201~'

const PARAMETERS = '\\[[ -?]*'
/** How the strings begin that terminals send, and what they have inside. */
const STRINGS = ['P[01>!]', '_G', '\\][\\dlL]'].map((beginning) => `${beginning}[^\\x1b\\x07]*`).join('|')
/** A sequence of its own, a key's or a reply, that ends in what has arrived. */
const WHOLE = new RegExp(`\\x1b(?:${PARAMETERS}[@-~]|(?:${STRINGS})(?:\\x07|\\x1b\\\\))`, 'y')
/** What may go on with the next bytes. */
const UNFINISHED = new RegExp(`\\x1b(?:${PARAMETERS}|[P_\\]]|(?:${STRINGS})\\x1b?)?$`, 'y')

/** A person who presses Escape waits for what it does; the rest of a key's sequence comes with its beginning. */
const ESCAPE_WAIT_MS = 30
/** No key begins like this: it is a reply, cut on a slow line. */
const SEQUENCE_WAIT_MS = 1000
/** Whoever says that a paste begins and then is silent does not keep the detach key from working. */
const PASTE_SILENCE_MS = 1000
const MAX_HELD_CHARACTERS = 1024 * 1024

export interface TypedKeysEvents {
  /** For the program. Never a part of a sequence without the rest. */
  typed(keys: Buffer): void
  /** The detach key, as it came: whoever presses it twice means the program. */
  detach(key: Buffer): void
}

/**
 * What a person's terminal sends, however it is cut: keys and pastes for the program, the detach key for us, and the
 * terminal's own replies to queries for nobody.
 */
export class TypedKeys {
  readonly #key: DetachKey | undefined
  readonly #events: TypedKeysEvents
  readonly #filter = new InputFilter()
  #held = ''
  #timer: NodeJS.Timeout | undefined
  #isPasting = false
  #lastMs = 0

  constructor(key: DetachKey | undefined, events: TypedKeysEvents) {
    this.#key = key
    this.#events = events
  }

  push(bytes: Buffer): void {
    clearTimeout(this.#timer)
    const nowMs = performance.now()
    if (nowMs - this.#lastMs > PASTE_SILENCE_MS) this.#isPasting = false
    this.#lastMs = nowMs
    // latin1 maps every byte to one character and back.
    let rest = this.#held + bytes.toString('latin1')
    this.#held = ''
    while (rest !== '') rest = this.#isPasting ? this.#paste(rest) : this.#keys(rest)
    if (this.#held === '') return
    const waitMs = this.#held.length > 2 && !this.#isPasting ? SEQUENCE_WAIT_MS : ESCAPE_WAIT_MS
    this.#timer = setTimeout(() => this.#giveUp(), waitMs)
  }

  /** Whatever is held is for nobody any more. */
  close(): void {
    clearTimeout(this.#timer)
    this.#held = ''
  }

  // It was a key that begins like a sequence, Escape or Alt+[.
  #giveUp(): void {
    const keys = this.#held
    this.#held = ''
    this.#type(keys)
  }

  /** Up to the end of the paste, unchanged. Returns what follows it. */
  #paste(text: string): string {
    const at = text.indexOf(PASTE_ENDS)
    const end = at === -1 ? text.length - beginningAtEnd(text, PASTE_ENDS) : at + PASTE_ENDS.length
    if (at === -1) this.#held = text.slice(end)
    else this.#isPasting = false
    this.#type(text.slice(0, end))
    return at === -1 ? '' : text.slice(end)
  }

  /** Up to the beginning of a paste, or the detach key. Returns what follows it. */
  #keys(text: string): string {
    let index = 0
    while (index < text.length) {
      const sequence = text[index] === '\x1b' ? sequenceAt(text, index) : (text[index] ?? '')
      if (sequence === undefined) {
        this.#held = text.slice(index)
        break
      }
      const next = index + sequence.length
      if (sequence === PASTE_BEGINS) {
        this.#type(text.slice(0, index))
        this.#isPasting = true
        this.#type(PASTE_BEGINS)
        return text.slice(next)
      }
      const kind = this.#isDetach(sequence)
      if (kind !== undefined) {
        this.#type(text.slice(0, index))
        if (kind === 'pressed') this.#events.detach(Buffer.from(sequence, 'latin1'))
        return text.slice(next)
      }
      index = next
    }
    this.#type(text.slice(0, index))
    return ''
  }

  #isDetach(sequence: string): 'pressed' | 'held' | undefined {
    if (!this.#key) return undefined
    if (sequence.length > 1) return sequenceOf(this.#key, sequence)
    return sequence.charCodeAt(0) === this.#key.byte ? 'pressed' : undefined
  }

  #type(text: string): void {
    const bytes = Buffer.from(text, 'latin1')
    const keys = this.#filter.take(bytes)
    if (keys.length > 0) this.#events.typed(Buffer.from(keys))
  }
}

/** The sequence that begins there; a lone Escape where none does; undefined where it may go on. */
function sequenceAt(text: string, index: number): string | undefined {
  WHOLE.lastIndex = index
  const whole = WHOLE.exec(text)?.[0]
  if (whole !== undefined) return whole
  UNFINISHED.lastIndex = index
  return text.length - index <= MAX_HELD_CHARACTERS && UNFINISHED.test(text) ? undefined : '\x1b'
}

/** How many characters at the end of a text are the beginning of a mark. */
function beginningAtEnd(text: string, mark: string): number {
  for (let length = mark.length - 1; length > 0; length--) if (text.endsWith(mark.slice(0, length))) return length
  return 0
}
