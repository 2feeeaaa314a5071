import type { Tandem } from '../tandem'
import { TtydClient } from '../ttydClient'
import type { TcpProxy } from './tcpProxy'

/** A stock client of a terminal's stream behind a bad network: it asks again from the last byte it is sure of. */
export class StreamClient {
  readonly received: Buffer[] = []
  /** The next byte it wants; undefined before the first connection. */
  offset: number | undefined
  gaps = 0
  #client: TtydClient | undefined

  constructor(
    private readonly tandem: Tandem,
    private readonly tmuxSession: string,
    private readonly proxy: TcpProxy
  ) {}

  async connect(): Promise<void> {
    const { wsUrl, token } = this.tandem.ready
    const url = new URL(wsUrl)
    // The host checks the name it was called by; the proxy's port is not its own.
    const headers = { authorization: `Bearer ${token}`, host: url.host }
    url.port = String(this.proxy.port)
    url.searchParams.set('arg', this.tmuxSession)
    if (this.offset !== undefined) url.searchParams.set('from', String(this.offset))
    this.#client = await TtydClient.connect(url.href, { headers })
  }

  type(text: string): void {
    this.#client?.type(text)
  }

  /** All output of this connection, its snapshot included. */
  get output(): Buffer {
    return this.#client?.output ?? Buffer.alloc(0)
  }

  get isClosed(): boolean {
    return this.#client?.closed !== undefined
  }

  /** Takes what came in this connection: only bytes whose place in the stream is certain count. */
  take(): void {
    const { frames = [] } = this.#client ?? {}
    let isPlaced = false
    let certain: Buffer[] = []
    for (const { kind, payload } of frames) {
      if (kind === '0') certain.push(payload)
      else if (kind === '2') {
        const { tandem } = JSON.parse(payload.toString()) as { tandem: { offset: number } }
        const reached = (this.offset ?? tandem.offset) + (isPlaced ? length(certain) : 0)
        // What stood before the first word about the place, or before another place, was a snapshot.
        if (!isPlaced) certain = []
        else if (tandem.offset !== reached) certain = certain.slice(0, -1)
        if (!isPlaced && this.offset !== undefined && tandem.offset !== this.offset) this.gaps += 1
        if (!isPlaced) this.offset = tandem.offset
        if (isPlaced && tandem.offset !== reached) break
        isPlaced = true
      }
    }
    if (isPlaced && this.offset !== undefined) {
      this.received.push(...certain)
      this.offset += length(certain)
    }
    this.#client?.close()
    this.#client = undefined
  }
}

function length(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0)
}
