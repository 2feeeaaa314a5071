/** A program that leaves this much unread asks without wanting to know. */
const MAX_WAITING_BYTES = 65_536

/**
 * Replies to a program's queries. They are typed to it like keys, so those that nobody reads must not take the room of
 * what a person types: past a limit they are dropped.
 */
export class Answers {
  readonly #write: (bytes: Uint8Array) => Promise<void>
  #waitingBytes = 0

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write
  }

  async give(data: string): Promise<void> {
    const bytes = Buffer.from(data)
    if (this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) return
    this.#waitingBytes += bytes.length
    try {
      await this.#write(bytes)
    } finally {
      this.#waitingBytes -= bytes.length
    }
  }
}
