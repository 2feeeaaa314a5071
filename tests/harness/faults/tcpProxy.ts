import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A network between a client and the host, to be made bad: it forwards, swallows, cuts, or hands on byte by byte. */
export class TcpProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isSwallowing = false
  #isDripping = false

  private constructor(private readonly targetPort: number) {
    this.#server = createServer((client) => this.#join(client))
  }

  static async start(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(Number(new URL(url).port))
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    // A listening TCP server has an address with a port.
    return (this.#server.address() as AddressInfo).port
  }

  /** From now on nothing arrives on either side, and nobody is told: what is sent waits to be taken. */
  swallow(): void {
    this.#isSwallowing = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** From now on every byte goes to the client in a packet of its own. */
  drip(): void {
    this.#isDripping = true
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #join(client: Socket): void {
    const host = connect(this.targetPort, '127.0.0.1')
    this.#forward(client, host, (chunk) => this.#addressed(chunk))
    this.#forward(host, client)
    client.setNoDelay(true)
  }

  /** Who was given our address asks for us, and the host knows only itself. */
  #addressed(head: Buffer): Buffer {
    const text = head.toString('latin1')
    return Buffer.from(text.replace(`127.0.0.1:${this.port}`, `127.0.0.1:${this.targetPort}`), 'latin1')
  }

  #forward(from: Socket, to: Socket, changeFirst = (chunk: Buffer) => chunk): void {
    this.#sockets.add(from)
    let change: ((chunk: Buffer) => Buffer) | undefined = changeFirst
    from.on('data', (received) => {
      const chunk = change ? change(received) : received
      change = undefined
      if (this.#isSwallowing) return
      if (!this.#isDripping) to.write(chunk)
      else for (const byte of chunk) to.write(Buffer.of(byte))
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      this.#sockets.delete(from)
      if (!this.#isSwallowing) to.destroy()
    })
  }
}
