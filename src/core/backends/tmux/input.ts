import { AppError } from '../../../shared/errors'
import { type Line, TmuxRefusal } from './control'
import { type Command, commandLine } from './quote'
import type { RuntimeFiles } from './runtimeFiles'
import { Serial } from './serial'

/** Key by key grows with the square of the length; past this a buffer is faster. */
const MAX_KEY_BYTES = 64
const DEAD_MARK = 'pane-is-dead'

/**
 * The way in to one pane. tmux crashes when anything is written to a dead pane, so every input asks in the same breath
 * whether it lives.
 */
export class Input {
  readonly #control: Line
  readonly #files: RuntimeFiles
  readonly #paneId: string
  readonly #serial = new Serial()

  constructor(paneId: string, { control, files }: { control: Line; files: RuntimeFiles }) {
    this.#paneId = paneId
    this.#control = control
    this.#files = files
  }

  /** In order, whole, and never mixed with another call's; PROCESS_EXITED when the program has ended. */
  write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return Promise.resolve()
    const copy = Buffer.from(bytes)
    return this.#serial.run(() => (copy.length <= MAX_KEY_BYTES ? this.#keys(copy) : this.#paste(copy)))
  }

  #keys(bytes: Buffer): Promise<void> {
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'))
    return this.#unlessDead([], ['send-keys', '-H', '-t', this.#paneId, ...hex], [])
  }

  #paste(bytes: Buffer): Promise<void> {
    return this.#files.lend(bytes, (path) => {
      const buffer = `tandem-${path.slice(path.lastIndexOf('/') + 1)}`
      return this.#unlessDead(
        [['load-buffer', '-b', buffer, path]],
        ['paste-buffer', '-r', '-d', '-b', buffer, '-t', this.#paneId],
        [['delete-buffer', '-b', buffer]]
      )
    })
  }

  // A pane in copy mode would take the keys for itself, so that is left first.
  async #unlessDead(before: Command[], input: Command, ifDead: Command[]): Promise<void> {
    const dead = commandLine([...ifDead, ['display-message', '-p', DEAD_MARK]])
    const alive = commandLine([['copy-mode', '-q', '-t', this.#paneId], input])
    const guarded: Command = ['if-shell', '-F', '-t', this.#paneId, '#{pane_dead}', dead, alive]
    const lines = await this.#control.run([...before, guarded]).catch((failure: unknown) => {
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
