import xterm from '@xterm/headless'
import { WebSocket } from 'ws'
import type { Tandem } from '../tandem'

/** A stock client whose own emulator answers every query it is shown, as no viewer should. */
export class AnsweringViewer {
  readonly #socket: WebSocket
  readonly #emulator = new xterm.Terminal({ cols: 80, rows: 24, scrollback: 20_000, allowProposedApi: true })
  /** What it tried to type. */
  answers = ''
  received = Buffer.alloc(0)

  private constructor(socket: WebSocket) {
    this.#socket = socket
    this.#emulator.onData((data) => {
      this.answers += data
      if (socket.readyState === socket.OPEN) socket.send(`0${data}`)
    })
    socket.on('message', (frame: Buffer) => {
      if (frame[0] !== 0x30) return
      this.received = Buffer.concat([this.received, frame.subarray(1)])
      this.#emulator.write(frame.subarray(1))
    })
    socket.on('error', () => socket.terminate())
  }

  static async open(tandem: Tandem, tmuxSession: string, from?: number): Promise<AnsweringViewer> {
    const query = new URLSearchParams({ arg: tmuxSession, ...(from === undefined ? {} : { from: String(from) }) })
    const socket = new WebSocket(`${tandem.ready.wsUrl}?${query}`, ['tty'], {
      headers: { authorization: `Bearer ${tandem.ready.token}` }
    })
    const viewer = new AnsweringViewer(socket)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    socket.send(JSON.stringify({ AuthToken: '', columns: 80, rows: 24 }))
    return viewer
  }

  close(): void {
    this.#socket.terminate()
    this.#emulator.dispose()
  }
}
