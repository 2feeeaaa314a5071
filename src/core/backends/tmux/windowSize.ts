import { AppError } from '../../../shared/errors'
import type { Size } from '../../../shared/terminal'
import type { Logger } from '../../log'
import { type Line, TmuxRefusal } from './control'
import { type Command, commandLine } from './quote'

/** tmux passes on sizes at most four times a second; a program must see both to draw itself anew. */
const NUDGE_MS = 300
/** The size that a nudged program is to have again. Its own option, so that the next host reads it where this one died. */
const OPTION = '@tandem_nudged'
const MARK = 'nudged|'

interface WindowSizeOptions {
  paneId: string
  line: Line
  log: Logger
}

/** The size of one pane's window, and the nudge that makes full-screen programs draw themselves anew. */
export class WindowSize {
  readonly #options: WindowSizeOptions
  #timer: NodeJS.Timeout | undefined

  constructor(options: WindowSizeOptions) {
    this.#options = options
  }

  /** This size holds from now on, whatever a nudge is about. */
  async set(size: Size): Promise<void> {
    const { line } = this.#options
    try {
      await line.run(this.#lasting(size))
    } catch (failure) {
      if (!(failure instanceof TmuxRefusal)) throw failure
      throw new AppError('PTY_ERROR', `tmux did not resize to ${size.cols}x${size.rows}: "${failure.refusal}"`)
    }
  }

  /** Full-screen programs redraw when their size changes; what tmux does not expose comes back that way. */
  nudge(size: Size): void {
    const { paneId, line } = this.#options
    const other = { ...size, rows: size.rows > 1 ? size.rows - 1 : size.rows + 1 }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#attempt(() => this.#giveBack(size)), NUDGE_MS)
    void this.#attempt(() => line.run([['set-option', '-t', paneId, OPTION, textOf(size)], this.#resized(other)]))
  }

  /** Ends a nudge at once, this host's or one that was left by the host before it. */
  async settle(): Promise<void> {
    const { paneId, line } = this.#options
    this.stop()
    const lines = await line.run([['display-message', '-p', '-t', paneId, `${MARK}#{${OPTION}}`]])
    const size = sizeIn(lines.find((said) => said.startsWith(MARK)) ?? '')
    if (size) await this.#giveBack(size)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  // Only while this nudge is the one under way: another size may have been chosen meanwhile.
  async #giveBack(size: Size): Promise<void> {
    const { paneId, line } = this.#options
    const isUnderWay = `#{==:#{${OPTION}},${textOf(size)}}`
    await line.run([['if-shell', '-F', '-t', paneId, isUnderWay, commandLine(this.#lasting(size)), '']])
  }

  // A refused size leaves the nudge as it is, with its own way back.
  #lasting(size: Size): Command[] {
    return [this.#resized(size), ['set-option', '-u', '-t', this.#options.paneId, OPTION]]
  }

  #resized({ rows, cols }: Size): Command {
    return ['resize-window', '-t', this.#options.paneId, '-x', String(cols), '-y', String(rows)]
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (failure) {
      this.#options.log.debug({ err: failure }, 'a full-screen program could not be nudged')
    }
  }
}

function textOf({ rows, cols }: Size): string {
  return `${cols}x${rows}`
}

function sizeIn(line: string): Size | undefined {
  const [, cols, rows] = /\|(\d+)x(\d+)$/.exec(line) ?? []
  return cols === undefined || rows === undefined ? undefined : { rows: Number(rows), cols: Number(cols) }
}
