import { WebSocket } from 'ws'
import type { Tandem } from './tandem'
import { until } from './waiting'

interface TabOptions {
  from?: number
  columns?: number
  rows?: number
  token?: string
}

/** One connection to /ws, as a program that watches and types: bytes in, bytes out, and the offset it has reached. */
export class Tab {
  readonly #socket: WebSocket
  readonly #output: Buffer[] = []
  readonly #begun: Promise<unknown>
  #begin: () => void = () => undefined
  offset: number | undefined
  size: { columns: number; rows: number } | undefined
  title = ''
  closeCode: number | undefined

  private constructor(socket: WebSocket) {
    this.#socket = socket
    this.#begun = new Promise<void>((resolve) => {
      this.#begin = resolve
    })
    socket.on('message', (data: Buffer) => this.#receive(data))
    socket.on('close', (code) => {
      this.closeCode = code
      this.#begin()
    })
    socket.on('error', () => socket.terminate())
  }

  static async open(tandem: Tandem, tmuxSession: string, options: TabOptions = {}): Promise<Tab> {
    const from = options.from === undefined ? '' : `&from=${options.from}`
    const socket = new WebSocket(`${tandem.ready.wsUrl}?arg=${encodeURIComponent(tmuxSession)}${from}`, ['tty'], {
      headers: { authorization: `Bearer ${options.token ?? tandem.ready.token}` }
    })
    const tab = new Tab(socket)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    const { columns = 80, rows = 24 } = options
    socket.send(JSON.stringify({ AuthToken: '', columns, rows }))
    await tab.#begun
    return tab
  }

  type(text: string | Buffer): void {
    this.#socket.send(Buffer.concat([Buffer.from('0'), Buffer.from(text)]))
  }

  resize(columns: number, rows: number): void {
    this.#socket.send(`1${JSON.stringify({ columns, rows })}`)
  }

  /** Stops taking bytes off the socket, as a hung client does. */
  stopReading(): void {
    this.#socket.pause()
  }

  startReading(): void {
    this.#socket.resume()
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#output)
  }

  get text(): string {
    return this.bytes.toString('utf8')
  }

  get plain(): string {
    return plainText(this.text)
  }

  forget(): void {
    this.#output.length = 0
  }

  async sees(pattern: RegExp | string): Promise<void> {
    const found = () => (typeof pattern === 'string' ? this.plain.includes(pattern) : pattern.test(this.plain))
    await until(found, { what: `${pattern} in ${JSON.stringify(this.plain.slice(-400))}` })
  }

  async closed(): Promise<number> {
    await until(() => this.closeCode !== undefined, { what: 'the close of the tab' })
    return this.closeCode ?? 0
  }

  close(): void {
    this.#socket.terminate()
  }

  #receive(frame: Buffer): void {
    const payload = frame.subarray(1)
    const kind = String.fromCharCode(frame[0] ?? 0)
    if (kind === '0') {
      this.#output.push(payload)
      if (this.offset !== undefined) this.offset += payload.length
    } else if (kind === '1') {
      this.title = payload.toString()
    } else if (kind === '2') {
      const { tandem } = JSON.parse(payload.toString()) as { tandem: { offset: number; columns: number; rows: number } }
      this.offset = tandem.offset
      this.size = { columns: tandem.columns, rows: tandem.rows }
      this.#begin()
    }
  }
}

/** Text without escape sequences: enough to look for words. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed here
  return text.replace(/\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[0-?]*[ -/]*[@-~]|[()][A-Z0-9]|.)/g, '')
}
