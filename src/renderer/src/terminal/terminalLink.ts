import type { Size } from '../../../shared/terminal'
import { CLIENT_FRAME, CLOSE_CODE, SERVER_FRAME, type TandemPreferences } from '../../../shared/wire'
import { backOffMs } from '../bridge/backOff'
import { withoutCuttingConnect } from '../bridge/withoutCuttingConnect'

/** `ended`: the host closed the line for good because the program ended. */
export type LinkState = 'connecting' | 'live' | 'broken' | 'ended'

export interface TerminalLinkOptions {
  /** Opens the terminal's socket; with `from`, the stream continues at that byte. */
  openSocket(from: number | undefined): WebSocket
  /** The size this viewer wants to give the terminal, or undefined when it only watches. */
  wantedSize(): Size | undefined
  onState(state: LinkState): void
  onSize(size: Size): void
  onOutput(bytes: Uint8Array): void
  onTitle(title: string): void
}

const ESCAPE = 0x1b
const FULL_RESET = 0x63

/**
 * One terminal's byte line, ttyd's protocol. It counts what it handed on, so that after a broken line the stream goes
 * on at exactly the next byte; where that is not possible the host sends a snapshot, which begins with a full reset.
 */
export class TerminalLink {
  readonly #options: TerminalLinkOptions
  readonly #encoder = new TextEncoder()
  readonly #decoder = new TextDecoder()
  #socket: WebSocket | undefined
  #live = false
  #offset: number | undefined
  // The first output may be a snapshot made for a size that only the preferences frame tells; undefined once told.
  #held: Uint8Array[] | undefined = []
  #failures = 0
  #online = true
  #finished = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: TerminalLinkOptions) {
    this.#options = options
  }

  connect(): void {
    if (this.#socket || this.#finished || !this.#online) return
    clearTimeout(this.#timer)
    this.#options.onState('connecting')
    const socket = this.#options.openSocket(this.#offset)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    this.#held = []
    socket.addEventListener('open', () => this.#sayHello(socket))
    socket.addEventListener('message', ({ data }) => this.#received(data))
    socket.addEventListener('close', ({ code }) => this.#lost(code))
  }

  /** While the host is known to be away nothing is tried; when it is back the line is opened at once. */
  setOnline(online: boolean): void {
    this.#online = online
    if (online) this.connect()
    else clearTimeout(this.#timer)
  }

  /** Whether the bytes were sent; while the line is broken they are not kept for later. */
  input(data: string | Uint8Array): boolean {
    return this.#send(CLIENT_FRAME.input, typeof data === 'string' ? this.#encoder.encode(data) : data)
  }

  resize({ cols, rows }: Size): boolean {
    return this.#send(CLIENT_FRAME.resize, this.#encoder.encode(JSON.stringify({ columns: cols, rows })))
  }

  pause(): void {
    this.#send(CLIENT_FRAME.pause)
  }

  resume(): void {
    this.#send(CLIENT_FRAME.resume)
  }

  /** Ends the line, never the program. */
  close(): void {
    this.#finished = true
    clearTimeout(this.#timer)
    if (this.#socket) withoutCuttingConnect(this.#socket)
  }

  #sayHello(socket: WebSocket): void {
    const size = this.#options.wantedSize()
    const wanted = size ? { columns: size.cols, rows: size.rows } : {}
    socket.send(this.#encoder.encode(JSON.stringify({ AuthToken: '', ...wanted })))
  }

  #send(kind: number, payload: Uint8Array = new Uint8Array()): boolean {
    if (!this.#socket || !this.#live) return false
    const frame = new Uint8Array(payload.length + 1)
    frame[0] = kind
    frame.set(payload, 1)
    this.#socket.send(frame)
    return true
  }

  #received(data: unknown): void {
    if (!(data instanceof ArrayBuffer) || this.#finished) return
    const frame = new Uint8Array(data)
    const payload = frame.subarray(1)
    if (frame[0] === SERVER_FRAME.output) this.#receivedOutput(payload)
    else if (frame[0] === SERVER_FRAME.title) this.#options.onTitle(this.#decoder.decode(payload))
    else if (frame[0] === SERVER_FRAME.preferences) this.#receivedPreferences(payload)
  }

  #receivedOutput(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#held) {
      this.#held.push(bytes)
      return
    }
    // A snapshot in mid-stream: its bytes do not count, and the preferences after it say where the stream stands.
    if (bytes[0] === ESCAPE && bytes[1] === FULL_RESET) this.#offset = undefined
    if (this.#offset !== undefined) this.#offset += bytes.length
    this.#options.onOutput(bytes)
  }

  #receivedPreferences(payload: Uint8Array): void {
    // Sent only by the host that served this page; a stock ttyd server has no `tandem` part.
    const { tandem } = JSON.parse(this.#decoder.decode(payload)) as Partial<TandemPreferences>
    if (tandem) {
      this.#options.onSize({ cols: tandem.columns, rows: tandem.rows })
      this.#offset = tandem.offset
    }
    const held = this.#held ?? []
    this.#held = undefined
    for (const bytes of held) this.#options.onOutput(bytes)
    if (!this.#live) this.#becameLive()
  }

  #becameLive(): void {
    this.#live = true
    this.#failures = 0
    this.#options.onState('live')
  }

  #lost(code: number): void {
    this.#socket = undefined
    this.#live = false
    if (this.#finished) return
    if (code === CLOSE_CODE.programEnded) {
      this.#finished = true
      for (const bytes of this.#held ?? []) this.#options.onOutput(bytes)
      this.#options.onState('ended')
      return
    }
    this.#options.onState('broken')
    if (!this.#online) return
    this.#timer = setTimeout(() => this.connect(), backOffMs(this.#failures))
    this.#failures += 1
  }
}
