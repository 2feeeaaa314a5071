/** The first word comes soon, so that a client knows it is heard; the others before any client loses patience. */
const FIRST_MS = 500
const INTERVAL_MS = 10_000

type Send = (progress: { progress: number; message: string }) => Promise<void>

/** Tells a client that asked for it that its call goes on, in the tool's last words, until the call is over. */
export class McpProgress {
  readonly #send: Send
  readonly #failed: (thrown: unknown) => void
  readonly #beganMs = performance.now()
  #message: string
  #timer: NodeJS.Timeout

  constructor({ send, failed, message }: { send: Send; failed: (thrown: unknown) => void; message: string }) {
    this.#send = send
    this.#failed = failed
    this.#message = message
    this.#timer = setTimeout(() => this.#tell(), FIRST_MS)
  }

  /** What the call does now; said with the next word. */
  say(message: string): void {
    this.#message = message
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #tell(): void {
    this.#timer = setTimeout(() => this.#tell(), INTERVAL_MS)
    // Seconds, which only ever grow, as the protocol wants it.
    const progress = Math.round(performance.now() - this.#beganMs) / 1000
    this.#send({ progress, message: this.#message }).catch((thrown: unknown) => this.#failed(thrown))
  }
}
