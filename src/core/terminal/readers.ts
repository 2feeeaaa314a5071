import type { ScreenState } from './outputText'
import { RowRevisions } from './rowRevisions'

const MAX_MARKS = 64
const MAX_STATES = 32
const MAX_STATE_BYTES = 1_048_576

/** How far each reader of a terminal has come, and the screens on which they left off. Bounded: the oldest go first. */
export class Readers {
  readonly revisions: RowRevisions
  readonly #marks = new Map<string, number>()
  readonly #states = new Map<number, ScreenState>()
  #stateBytes = 0

  constructor(firstRevision: number) {
    this.revisions = new RowRevisions(firstRevision)
  }

  /** Offset of the first byte a reader has not seen; undefined for one that has read nothing yet. */
  mark(reader: string): number | undefined {
    return this.#marks.get(reader)
  }

  moveMark(reader: string, offset: number): void {
    this.#marks.delete(reader)
    this.#marks.set(reader, offset)
    if (this.#marks.size > MAX_MARKS) this.#marks.delete(oldest(this.#marks))
  }

  /** The screen before the byte at `offset`, where somebody left off there. */
  stateAt(offset: number): ScreenState | undefined {
    return this.#states.get(offset)
  }

  remember(offset: number, state: ScreenState): void {
    this.#forget(offset)
    this.#states.set(offset, state)
    this.#stateBytes += state.bytes.length
    while (this.#states.size > 1 && (this.#states.size > MAX_STATES || this.#stateBytes > MAX_STATE_BYTES)) {
      this.#forget(oldest(this.#states))
    }
  }

  #forget(offset: number): void {
    this.#stateBytes -= this.#states.get(offset)?.bytes.length ?? 0
    this.#states.delete(offset)
  }
}

function oldest<K>(map: ReadonlyMap<K, unknown>): K {
  const [first] = map.keys()
  // Only asked of a map that has more than it may.
  return first as K
}
