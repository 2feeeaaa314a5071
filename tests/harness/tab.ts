import { WebSocket } from 'ws'
import type { Tandem } from './tandem'
import { until } from './waiting'

const KEYS_PER_LINE = 20
/** Ctrl-U: a shell forgets the line so far. */
export const CLEAR_LINE = '\x15'

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
  #heard: () => void = () => undefined
  #keys = 0

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

  /** Types one key at a prompt: the milliseconds until it is back, seen as it comes. */
  async echoMs(): Promise<number> {
    // A line that is never run, and never long.
    if (this.#keys % KEYS_PER_LINE === 0) this.type(CLEAR_LINE)
    const key = String.fromCharCode('a'.charCodeAt(0) + (this.#keys++ % KEYS_PER_LINE))
    this.forget()
    const startedMs = performance.now()
    let backMs: number | undefined
    this.#heard = () => {
      if (this.plain.includes(key)) backMs ??= performance.now()
    }
    this.type(key)
    await until(() => backMs !== undefined, { what: `the key ${key} in ${JSON.stringify(this.plain.slice(-400))}` })
    this.#heard = () => undefined
    return (backMs ?? Number.POSITIVE_INFINITY) - startedMs
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
      this.#heard()
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
