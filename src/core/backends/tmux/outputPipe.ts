import type { Logger } from '../../log'
import { type ProcessIdentity, type ProcessTable, signalProcess } from '../processTable'
import { type Fifo, openFifo } from './fifo'

const SILENCE_MS = 50
/** A relay that has not come to rest after so long without a byte is stuck, and the end is told without it. */
const MAX_SILENT_MS = 5_000

/** Running, or stopped by somebody: what a relay has in hand is still to come. */
const UNDER_WAY = ['R', 'T']

/** What all pipes of one backend share. */
export interface PipeParts {
  processes: ProcessTable
  log: Logger
  maxSilentMs?: number
}

/**
 * The program's bytes on their way from tmux: drained at once, whoever listens, and held back until `release` so that
 * a screen taken in the same breath goes first.
 */
export class OutputPipe {
  readonly #listener: (bytes: Buffer) => void
  readonly #parts: PipeParts
  #fifo: Fifo | undefined
  #held: Buffer[] | undefined = []
  #lastByteAt = performance.now()
  #closed = false
  #relay: ProcessIdentity | undefined

  constructor(parts: PipeParts, listener: (bytes: Buffer) => void) {
    this.#parts = parts
    this.#listener = listener
  }

  open(path: string): void {
    this.#fifo = openFifo(path, (bytes) => this.#arrived(bytes))
  }

  /** The process between tmux and us has said who it is. */
  async relayedBy(pid: number): Promise<void> {
    await this.#attempt(async () => {
      this.#relay = await this.#parts.processes.find(pid)
    })
  }

  get path(): string {
    return this.#fifo?.path ?? ''
  }

  /**
   * What tmux runs for this pipe. The read-write descriptor lets the relay open the FIFO without waiting for a reader;
   * it is gone before the first byte, so that the relay ends when the host does.
   */
  command(eventPath: string): string {
    const path = this.path
    return `[ -p ${path} ] && exec 3<>${path} && echo relay ${path} $$ 1<>${eventPath} && exec cat >${path} 3<&-`
  }

  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const bytes of held) this.#deliver(bytes)
  }

  /** Settles when nothing has come for a while and the relay rests, waiting for more. */
  async drained(): Promise<void> {
    const since = performance.now()
    const quietMs = () => performance.now() - Math.max(this.#lastByteAt, since)
    while (!this.#closed) {
      if (quietMs() >= SILENCE_MS && (await this.#isDry(quietMs))) return
      await new Promise((resolve) => setTimeout(resolve, Math.max(SILENCE_MS - quietMs(), 5)))
    }
  }

  close(): void {
    this.#closed = true
    this.#fifo?.close()
  }

  /** tmux keeps the relay of a dead pane, so it is ended here. */
  async endRelay(): Promise<void> {
    const relay = this.#relay
    if (relay) await this.#attempt(() => signalProcess(this.#parts.processes, relay, 'SIGTERM'))
  }

  // A host that was held up finds the silence over before it has read: what the relay wrote until now is read first.
  async #isDry(quietMs: () => number): Promise<boolean> {
    const rests = await this.#relayRests()
    await new Promise(setImmediate)
    const { maxSilentMs = MAX_SILENT_MS } = this.#parts
    return quietMs() >= (rests ? SILENCE_MS : maxSilentMs)
  }

  async #relayRests(): Promise<boolean> {
    const relay = this.#relay
    if (!relay) return true
    let rests = false
    await this.#attempt(async () => {
      const found = await this.#parts.processes.find(relay.pid)
      rests = found === undefined || !UNDER_WAY.includes(found.state)
    })
    return rests
  }

  /** A host without descriptors to spare cannot look at processes: no answer, and no reason for anything to fail. */
  async #attempt(look: () => Promise<unknown>): Promise<void> {
    try {
      await look()
    } catch (failure) {
      this.#parts.log.debug({ err: failure, path: this.path }, 'the relay of a pipe could not be looked at')
    }
  }

  #arrived(bytes: Buffer): void {
    this.#lastByteAt = performance.now()
    if (this.#held) this.#held.push(bytes)
    else this.#deliver(bytes)
  }

  #deliver(bytes: Buffer): void {
    if (!this.#closed) this.#listener(bytes)
  }
}
