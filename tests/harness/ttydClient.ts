import { WebSocket } from 'ws'

// A client of ttyd's protocol, written from the protocol alone: it knows nothing of the server's code.
// Client frames: JSON {AuthToken, columns, rows} first, then '0' + input, '1' + JSON {columns, rows}, '2' pause, '3' resume.
// Server frames, binary: '0' + output, '1' + title, '2' + preferences JSON.

export interface TtydOptions {
  headers?: Record<string, string>
  protocols?: string[]
  authToken?: string
  columns?: number
  rows?: number
  /** How frames are sent; the protocol allows both. */
  as?: 'text' | 'binary'
}

/** A connection that was refused before it became one. */
export class TtydRefused extends Error {
  constructor(
    readonly status: number,
    readonly body: string
  ) {
    super(`refused with ${status}: ${body}`)
  }
}

export class TtydClient {
  readonly #socket: WebSocket
  readonly #as: 'text' | 'binary'
  readonly frames: { kind: string; payload: Buffer }[] = []
  closed: { code: number; reason: string } | undefined

  private constructor(socket: WebSocket, as: 'text' | 'binary') {
    this.#socket = socket
    this.#as = as
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) throw new Error('the server sent a text frame')
      this.frames.push({ kind: String.fromCharCode(data[0] ?? 0), payload: data.subarray(1) })
    })
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
    })
    socket.on('error', () => undefined)
  }

  /** Connects without saying hello. */
  static dial(url: string, options: TtydOptions = {}): Promise<TtydClient> {
    const socket = new WebSocket(url, options.protocols ?? ['tty'], { headers: options.headers ?? {} })
    const client = new TtydClient(socket, options.as ?? 'binary')
    return new Promise((resolve, reject) => {
      socket.on('open', () => resolve(client))
      socket.on('unexpected-response', (_request, response) => {
        let body = ''
        response.on('data', (chunk: Buffer) => {
          body += chunk.toString()
        })
        response.on('close', () => reject(new TtydRefused(response.statusCode ?? 0, body)))
      })
      socket.on('error', reject)
    })
  }

  static async connect(url: string, options: TtydOptions = {}): Promise<TtydClient> {
    const client = await TtydClient.dial(url, options)
    const { authToken = '', columns = 80, rows = 24 } = options
    client.send(JSON.stringify({ AuthToken: authToken, columns, rows }))
    return client
  }

  get protocol(): string {
    return this.#socket.protocol
  }

  get output(): Buffer {
    return Buffer.concat(this.frames.filter(({ kind }) => kind === '0').map(({ payload }) => payload))
  }

  get titles(): string[] {
    return this.frames.filter(({ kind }) => kind === '1').map(({ payload }) => payload.toString())
  }

  get preferences(): Record<string, unknown>[] {
    return this.frames.filter(({ kind }) => kind === '2').map(({ payload }) => JSON.parse(payload.toString()))
  }

  type(text: string): void {
    this.send(`0${text}`)
  }

  resize(columns: number, rows: number): void {
    this.send(`1${JSON.stringify({ columns, rows })}`)
  }

  pause(): void {
    this.send('2')
  }

  resume(): void {
    this.send('3')
  }

  send(frame: string | Buffer): void {
    if (this.#as === 'text') this.#socket.send(frame.toString(), { binary: false })
    else this.#socket.send(Buffer.from(frame), { binary: true })
  }

  close(): void {
    this.#socket.terminate()
  }
}
