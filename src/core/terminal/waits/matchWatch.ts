import { OutputText } from '../outputText'
import { patterns } from '../patterns'
import type { Readers } from '../readers'
import { screenBefore } from '../screenBefore'
import type { Watching } from './watching'

const PIECE_BYTES = 2048
/** Output is looked through at least this often, also while more keeps coming. */
const LOOK_BYTES = 262_144
const SLICE_MS = 4
/** What was looked through before and may be the beginning of a match. */
const OVERLAP_CHARACTERS = 4096
/** After a look this many times its length passes, so that a flood of output leaves time for everything else. */
const REST = 3
const MIN_REST_MS = 2

export interface MatchRequest {
  from: number
  shownText?: string | undefined
  readers: Readers
}

/** Holds when a pattern is found in what is shown, or in what output adds or changes after `from`. */
export function watchMatch(watching: Watching, pattern: string, request: MatchRequest): void {
  const watch = new MatchWatch(watching, pattern, request)
  watch.run().catch((failure: unknown) => watching.fail(failure))
}

class MatchWatch {
  readonly #watching: Watching
  readonly #pattern: string
  readonly #request: MatchRequest
  #position: number
  /** The end of the text that was looked through and taken out. */
  #searched = ''
  #isClosed = false
  #wake: () => void = () => undefined

  constructor(watching: Watching, pattern: string, request: MatchRequest) {
    this.#watching = watching
    this.#pattern = pattern
    this.#request = request
    this.#position = request.from
    watching.onClose(watching.terminal.onOutput(() => this.#wake()))
    watching.onClose(() => {
      this.#isClosed = true
      this.#wake()
    })
  }

  async run(): Promise<void> {
    const { shownText, readers } = this.#request
    const { terminal, fire } = this.#watching
    await patterns.check(this.#pattern)
    if (shownText !== undefined && (await patterns.find(this.#pattern, shownText))) return fire('match')
    const before = await screenBefore(terminal, this.#position, readers)
    const output = new OutputText(terminal.size, before)
    try {
      while (!this.#isClosed) {
        const started = performance.now()
        await this.#feed(output)
        if (await this.#isFound(output)) return fire('match')
        await this.#rest((performance.now() - started) * REST)
      }
    } finally {
      output.dispose()
    }
  }

  /** What there is, in turns; what was dropped meanwhile is passed over. */
  async #feed(output: OutputText): Promise<void> {
    const { log } = this.#watching.terminal
    const end = Math.min(log.end, Math.max(log.start, this.#position) + LOOK_BYTES)
    let sliceEnds = performance.now() + SLICE_MS
    while (this.#position < end && !this.#isClosed) {
      const { bytes, next } = log.read(this.#position, Math.min(PIECE_BYTES, output.pieceBytes))
      output.add(bytes)
      this.#position = next
      if (performance.now() < sliceEnds) continue
      await new Promise(setImmediate)
      sliceEnds = performance.now() + SLICE_MS
    }
  }

  async #isFound(output: OutputText): Promise<boolean> {
    const settled = this.#searched + output.drain()
    this.#searched = settled.slice(-OVERLAP_CHARACTERS)
    return (await patterns.find(this.#pattern, settled + output.text())) !== undefined
  }

  async #rest(ms: number): Promise<void> {
    if (this.#position >= this.#watching.terminal.log.end && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(MIN_REST_MS, Math.min(ms, 1000))))
  }
}
