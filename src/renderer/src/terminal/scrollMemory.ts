import type { Terminal } from '@xterm/xterm'
import { recall, remember } from '../stores/memory'

const KEY = 'scrolls'
/** More terminals than that are not read back in at once; the oldest make room. */
const MAX_KEPT = 40
const SETTLE_MS = 400
const MAX_LINE_CHARACTERS = 200

/** Where somebody reads in a terminal: so many lines above the end, and what stands there. */
interface Place {
  up: number
  line: string
}

/** Keeps where one reads back in a terminal, for the next visit; at the end there is nothing to keep. */
export class ScrollMemory {
  readonly #xterm: Terminal
  readonly #name: string
  #timer: ReturnType<typeof setTimeout> | undefined
  #isRestored = false

  constructor(xterm: Terminal, name: string) {
    this.#xterm = xterm
    this.#name = name
  }

  /** Follows the hands that scroll, until the returned function is called. */
  follow(element: HTMLElement): () => void {
    const listening = new AbortController()
    const soon = () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#keep(), SETTLE_MS)
    }
    for (const event of ['wheel', 'keyup', 'pointerup'] as const) {
      element.addEventListener(event, soon, { signal: listening.signal, passive: true })
    }
    return () => {
      listening.abort()
      clearTimeout(this.#timer)
    }
  }

  /** Goes where one was, once, when everything is there. What was printed since has moved it up. */
  restore(): void {
    if (this.#isRestored) return
    this.#isRestored = true
    const place = places()[this.#name]
    if (!place) return
    const { baseY } = this.#xterm.buffer.normal
    const expected = Math.max(baseY - place.up, 0)
    let found = expected
    while (found >= 0 && this.#lineAt(found) !== place.line) found -= 1
    this.#xterm.scrollToLine(found === -1 ? expected : found)
  }

  #keep(): void {
    if (!this.#isRestored || this.#xterm.buffer.active.type !== 'normal') return
    const { baseY, viewportY } = this.#xterm.buffer.normal
    const { [this.#name]: before, ...others } = places()
    if (viewportY === baseY && !before) return
    const here = { up: baseY - viewportY, line: this.#lineAt(viewportY) }
    const kept = viewportY === baseY ? others : { ...others, [this.#name]: here }
    remember(KEY, Object.fromEntries(Object.entries(kept).slice(-MAX_KEPT)))
  }

  #lineAt(row: number): string {
    const line = this.#xterm.buffer.normal.getLine(row)?.translateToString(true) ?? ''
    return line.slice(0, MAX_LINE_CHARACTERS)
  }
}

function places(): Record<string, Place> {
  return Object.fromEntries(Object.entries(recall(KEY)).filter((entry): entry is [string, Place] => isPlace(entry[1])))
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== 'object' || value === null || !('up' in value) || !('line' in value)) return false
  return typeof value.up === 'number' && value.up > 0 && typeof value.line === 'string'
}
