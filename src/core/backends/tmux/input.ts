import { AppError } from '../../../shared/errors'
import { Serial } from '../serial'
import { type Line, TmuxRefusal } from './control'
import { type Command, commandLine, type Sequence } from './quote'
import type { RuntimeFiles } from './runtimeFiles'

/** Key by key grows with the square of the length; past this a buffer is faster. */
const MAX_KEY_BYTES = 64
const DEAD_MARK = 'pane-is-dead'
/** Of hexadecimal digits. */
const BYTES = /../g
const MARK_IF_DEAD = `#{?pane_dead,${DEAD_MARK},}`

/**
 * The way in to one pane, asking in the same breath whether it lives: a paste into a dead pane ends tmux, and a key
 * would be lost without a word.
 */
export class Input {
  readonly #control: Line
  readonly #files: RuntimeFiles
  readonly #paneId: string
  readonly #serial = new Serial()
  readonly #keyLine: { before: string; after: string }

  constructor(paneId: string, { control, files }: { control: Line; files: RuntimeFiles }) {
    this.#paneId = paneId
    this.#control = control
    this.#files = files
    this.#keyLine = {
      before: commandLine([this.#leaveCopyMode(), ['send-keys', '-H', '-t', paneId]]),
      after: commandLine([['display-message', '-p', '-t', paneId, MARK_IF_DEAD]])
    }
  }

  /** In order, whole, and never mixed with another call's; PROCESS_EXITED when the program has ended. */
  write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return Promise.resolve()
    const copy = Buffer.from(bytes)
    return this.#serial.run(() => (copy.length <= MAX_KEY_BYTES ? this.#keys(copy) : this.#paste(copy)))
  }

  // tmux itself drops keys for a dead pane, so it is enough to ask afterwards: nothing happens within one sequence.
  #keys(bytes: Buffer): Promise<void> {
    const { before, after } = this.#keyLine
    return this.#run(`${before} ${bytes.toString('hex').replace(BYTES, '$& ')}; ${after}`)
  }

  #paste(bytes: Buffer): Promise<void> {
    return this.#files.lend(bytes, (path) => {
      const buffer = `tandem-${path.slice(path.lastIndexOf('/') + 1)}`
      const drop: Command = ['delete-buffer', '-b', buffer]
      const paste: Command = ['paste-buffer', '-r', '-d', '-b', buffer, '-t', this.#paneId]
      const dead = commandLine([drop, ['display-message', '-p', DEAD_MARK]])
      const alive = commandLine([this.#leaveCopyMode(), paste])
      return this.#run([
        ['load-buffer', '-b', buffer, path],
        ['if-shell', '-F', '-t', this.#paneId, '#{pane_dead}', dead, alive]
      ])
    })
  }

  // A pane in copy mode would take the keys for itself.
  #leaveCopyMode(): Command {
    return ['copy-mode', '-q', '-t', this.#paneId]
  }

  async #run(commands: Sequence): Promise<void> {
    const lines = await this.#control.run(commands).catch((failure: unknown) => {
      throw failure instanceof TmuxRefusal ? paneGone(failure) : failure
    })
    if (lines.includes(DEAD_MARK)) throw new AppError('PROCESS_EXITED', 'The program in this terminal has ended')
  }
}

function paneGone(refusal: TmuxRefusal): AppError {
  return new AppError(
    'SESSION_ERROR',
    'The terminal is gone from tmux',
    'Its program was ended from outside. Close it, or open a new one.',
    { cause: refusal }
  )
}
