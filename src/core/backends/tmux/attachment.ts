import type { BackendListener } from '../backend'
import { Serial } from '../serial'
import { attachSequence } from './attachSequence'
import type { Line } from './control'
import type { OutputPipe } from './outputPipe'
import type { PaneState } from './paneState'
import type { TmuxParts } from './tmuxParts'
import type { WindowSize } from './windowSize'

export interface AttachmentOptions {
  paneId: string
  parts: TmuxParts
  line: Line
  listener: BackendListener
  size: WindowSize
}

/** How this host listens to one pane: a pipe for its bytes, opened together with a picture of its screen. */
export class Attachment {
  readonly #options: AttachmentOptions
  readonly #serial = new Serial()
  #pipe: OutputPipe | undefined
  #isReopening = false
  #isOver = false
  /** Times a pipe was opened. */
  count = 0

  constructor(options: AttachmentOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#pipe !== undefined
  }

  /** Goes on with the pipe that the program was started with. */
  take(pipe: OutputPipe): void {
    this.#pipe = pipe
    this.count += 1
    pipe.release()
  }

  /** Opens a new pipe: `restored` first, then every byte after it. */
  open(): Promise<PaneState> {
    return this.#serial.run(async () => {
      const { paneId, parts, line, listener, size } = this.#options
      await size.settle()
      const pipe = await parts.pipes.open((bytes) => listener.output(bytes))
      try {
        const target = { paneId, pipe, eventPath: parts.eventPath() }
        const { screen, state } = await attachSequence({ control: line, files: parts.files }, target)
        if (this.#isOver) {
          parts.pipes.close(pipe)
          return state
        }
        this.#close()
        listener.restored(screen)
        this.take(pipe)
        if (state.flag('alternate_on') && !state.flag('pane_dead')) size.nudge(screen.size)
        return state
      } catch (failure) {
        parts.pipes.close(pipe)
        throw failure
      }
    })
  }

  /** Somebody closed the pipe: the watchdog while this host was stopped, or the death of a relay. */
  async reopen(): Promise<void> {
    if (this.#isReopening) return
    this.#isReopening = true
    try {
      await this.open()
    } catch (failure) {
      this.#options.parts.log.warn({ err: failure }, 'an output pipe could not be opened again')
    } finally {
      this.#isReopening = false
    }
  }

  /** Settles after the last byte of a program that has ended. */
  async drained(): Promise<void> {
    await this.#pipe?.drained()
  }

  endRelay(): Promise<void> | undefined {
    return this.#pipe?.endRelay()
  }

  /** For good: a pipe that is still being opened is closed too. */
  close(): void {
    this.#isOver = true
    this.#close()
  }

  #close(): void {
    this.#options.size.stop()
    if (this.#pipe) this.#options.parts.pipes.close(this.#pipe)
    this.#pipe = undefined
  }
}
