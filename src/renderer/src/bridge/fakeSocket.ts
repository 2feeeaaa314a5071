/** A WebSocket whose other end is the test. */
export class FakeSocket extends EventTarget {
  readonly CONNECTING = 0
  readonly sent: (string | Uint8Array)[] = []
  readyState = 0
  binaryType = ''

  /** The browser's type has far more members than anything here uses. */
  get asWebSocket(): WebSocket {
    return this as unknown as WebSocket
  }

  send(data: string | Uint8Array): void {
    this.sent.push(data)
  }

  close(): void {
    this.drop(1005)
  }

  opens(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }

  hears(data: unknown): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }))
  }

  drop(code: number): void {
    this.readyState = 3
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
}
