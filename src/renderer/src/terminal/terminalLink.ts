import type { Size } from '../../../shared/terminal'
import { CLIENT_FRAME, CLOSE_CODE, SERVER_FRAME, type TandemPreferences } from '../../../shared/wire'
import { backOffMs } from '../bridge/backOff'
import { withoutCuttingConnect } from '../bridge/withoutCuttingConnect'

/**
 * `broken`: the line failed, and `retrying`: it is opened again; typing is off in both. `ended`: the host closed the line
 * for good because the program ended.
 */
export type LinkState = 'connecting' | 'live' | 'broken' | 'retrying' | 'ended'

export interface TerminalLinkOptions {
  /** Opens the terminal's socket; with `from`, the stream continues at that byte. */
  openSocket(from: number | undefined): WebSocket
  /** The size this viewer wants to give the terminal, or undefined when it only watches. */
  wantedSize(): Size | undefined
  onState(state: LinkState): void
  onSize(size: Size): void
  onOutput(bytes: Uint8Array): void
  onTitle(title: string): void
  /** What was typed and not sent yet will not be sent any more. */
  onDropped(): void
}

// More than anyone types ahead; a paste that large waits for a line that works.
const MAX_KEPT_BYTES = 65_536
const HOSTS_CODES: readonly number[] = Object.values(CLOSE_CODE)
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
  // Typed before the line was live, in order.
  #typed: Uint8Array[] = []
  #online = true
  #finished = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: TerminalLinkOptions) {
    this.#options = options
  }

  connect(): void {
    if (this.#socket || this.#finished || !this.#online) return
    clearTimeout(this.#timer)
    this.#options.onState(this.#failures === 0 ? 'connecting' : 'retrying')
    const socket = this.#options.openSocket(this.#offset)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    this.#held = []
    socket.addEventListener('open', () => this.#sayHello(socket))
    socket.addEventListener('message', ({ data }) => this.#received(data))
    socket.addEventListener('close', ({ code }) => this.#lost(code))
  }

  /**
   * Typing is on while the line is live or opened by the first try, which takes a moment: what is typed meanwhile is kept
   * and sent. It is off, and seen to be, from the first failure on: nobody should type blindly for long.
   */
  get takesInput(): boolean {
    return this.#online && !this.#finished && this.#failures === 0
  }

  /** While the host is known to be away nothing is tried; when it is back the line is opened at once. */
  setOnline(online: boolean): void {
    // Its return is as good as a first time.
    if (online && !this.#online) this.#failures = 0
    this.#online = online
    if (online) {
      this.connect()
      return
    }
    clearTimeout(this.#timer)
    this.#drop()
  }

  /** Sent at once, or as soon as the line is live. */
  input(data: string | Uint8Array): void {
    const bytes = typeof data === 'string' ? this.#encoder.encode(data) : data
    if (!this.takesInput || this.#send(CLIENT_FRAME.input, bytes)) return
    const kept = this.#typed.reduce((sum, { length }) => sum + length, bytes.length)
    if (kept > MAX_KEPT_BYTES) this.#drop()
    else this.#typed.push(bytes)
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
    for (const bytes of this.#typed.splice(0)) this.#send(CLIENT_FRAME.input, bytes)
  }

  #drop(): void {
    if (this.#typed.splice(0).length > 0) this.#options.onDropped()
  }

  #lost(code: number): void {
    const wasLive = this.#live
    this.#socket = undefined
    this.#live = false
    if (this.#finished) return
    if (code === CLOSE_CODE.programEnded) {
      this.#finished = true
      for (const bytes of this.#held ?? []) this.#options.onOutput(bytes)
      this.#drop()
      this.#options.onState('ended')
      return
    }
    // A line that broke by itself is mostly there again at once; one that the host closed is not.
    if (wasLive && this.#online && !HOSTS_CODES.includes(code)) {
      this.connect()
      return
    }
    const waitMs = backOffMs(this.#failures)
    this.#failures += 1
    this.#drop()
    this.#options.onState('broken')
    if (this.#online) this.#timer = setTimeout(() => this.connect(), waitMs)
  }
}
