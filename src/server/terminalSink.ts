import type { WebSocket } from 'ws'
import type { Snapshot } from '../core/terminal/snapshot'
import type { Sink } from '../core/terminal/viewer'
import type { Size } from '../shared/terminal'
import { CLOSE_CODE } from '../shared/wire'
import { outputFrame, preferencesFrame, titleFrame } from './terminalFrames'

/**
 * One WebSocket as a viewer's sink. The client is ready for more when the system has taken what was sent and the client
 * has not asked for a pause; nothing queues up here.
 */
export class TerminalSink implements Sink {
  readonly #socket: WebSocket
  #offset = 0
  #paused: Promise<void> | undefined
  #endPause: () => void = () => undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.once('close', () => this.resume())
  }

  async snapshot({ bytes, offset, size }: Snapshot): Promise<void> {
    this.#offset = offset
    await this.#send(outputFrame(bytes))
    await this.#send(preferencesFrame(offset, size))
  }

  async resumed(offset: number, size: Size): Promise<void> {
    this.#offset = offset
    await this.#send(preferencesFrame(offset, size))
  }

  async output(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.length
    await this.#send(outputFrame(bytes))
  }

  async resized(size: Size): Promise<void> {
    await this.#send(preferencesFrame(this.#offset, size))
  }

  async title(title: string): Promise<void> {
    await this.#send(titleFrame(title))
  }

  /** The close goes out behind the last byte. */
  ended(): void {
    this.#socket.close(CLOSE_CODE.programEnded)
  }

  pause(): void {
    this.#paused ??= new Promise((resolve) => {
      this.#endPause = resolve
    })
  }

  resume(): void {
    this.#paused = undefined
    this.#endPause()
  }

  async #send(frame: Buffer): Promise<void> {
    if (this.#paused) await this.#paused
    await new Promise<void>((resolve, reject) => {
      this.#socket.send(frame, { binary: true }, (failure) => (failure ? reject(failure) : resolve()))
    })
    if (this.#paused) await this.#paused
  }
}
