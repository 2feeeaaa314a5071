import { writeSync } from 'node:fs'
import { AppError } from '../../../shared/errors'

/** More than this waiting means that the program does not read at all. */
const MAX_QUEUED_BYTES = 16 * 1024 * 1024
/** What a write costs beside its bytes while it waits: many small ones must not fill the memory either. */
const WRITE_BYTES = 256
/** A program that reads as fast as it is written to does not keep the event loop to itself. */
const TURN_BYTES = 262_144
const FIRST_RETRY_MS = 1
const LAST_RETRY_MS = 50
const NOTHING = Buffer.alloc(0)

interface Waiting {
  /** How much must have been written for this one to be done. */
  end: number
  done(failure?: Error): void
}

/**
 * Bytes to a pty, in order. A program that does not read fills the kernel's buffer; then we come back ever more
 * slowly instead of asking at once again and again, which would burn a whole core. The descriptor does not block, so
 * bytes are written here and now: a thread could be kept waiting by a disk, and write when the descriptor is another's.
 */
export class PtyWriteQueue {
  readonly #descriptor: number
  readonly #waiting = new Set<Waiting>()
  #piece: Uint8Array = NOTHING
  #later: Uint8Array[] = []
  #accepted = 0
  #written = 0
  #retryMs = FIRST_RETRY_MS
  #retry: NodeJS.Timeout | undefined
  #turn: NodeJS.Immediate | undefined
  #closed = false

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#closed) return Promise.reject(ended())
    if (bytes.length === 0) return Promise.resolve()
    const queuedBytes = this.#accepted - this.#written
    const cost = queuedBytes + bytes.length + this.#waiting.size * WRITE_BYTES
    if (cost > MAX_QUEUED_BYTES) return Promise.reject(notReading(queuedBytes))
    this.#later.push(bytes)
    this.#accepted += bytes.length
    return new Promise((resolve, reject) => {
      this.#waiting.add({ end: this.#accepted, done: (failure) => (failure ? reject(failure) : resolve()) })
      if (!this.#retry && !this.#turn) this.#pump()
    })
  }

  /** What still waits is refused: the program is gone. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#retry)
    clearImmediate(this.#turn)
    this.#refuse(ended())
  }

  #pump(): void {
    this.#retry = undefined
    this.#turn = undefined
    for (let left = TURN_BYTES; left > 0; ) {
      if (this.#piece.length === 0) this.#piece = this.#takeLater()
      if (this.#piece.length === 0) return
      const written = this.#writeSome()
      if (written === 0) return
      left -= written
    }
    this.#turn = setImmediate(() => this.#pump())
  }

  /** All that came while the last piece was written, as one. */
  #takeLater(): Uint8Array {
    const [first = NOTHING, ...more] = this.#later
    this.#later = []
    return more.length === 0 ? first : Buffer.concat([first, ...more])
  }

  /** How much of the piece the kernel took; with nothing taken, what comes next is settled. */
  #writeSome(): number {
    try {
      const written = writeSync(this.#descriptor, this.#piece)
      this.#wrote(written)
      return written
    } catch (failure) {
      this.#failed(failure)
      return 0
    }
  }

  #wrote(written: number): void {
    this.#retryMs = FIRST_RETRY_MS
    this.#piece = this.#piece.subarray(written)
    this.#written += written
    for (const waiting of this.#waiting) {
      if (waiting.end > this.#written) return
      this.#waiting.delete(waiting)
      waiting.done()
    }
  }

  #failed(cause: unknown): void {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN') {
      this.#retry = setTimeout(() => this.#pump(), this.#retryMs)
      this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
      return
    }
    const reason = cause instanceof Error ? cause.message : String(cause)
    this.#refuse(new AppError('IO_ERROR', `Writing to the terminal failed: ${reason}`, undefined, { cause }))
  }

  #refuse(failure: AppError): void {
    this.#later = []
    this.#piece = NOTHING
    this.#written = this.#accepted
    for (const waiting of this.#waiting) waiting.done(failure)
    this.#waiting.clear()
  }
}

function ended(): AppError {
  return new AppError('PROCESS_EXITED', 'The program has ended', 'Close the terminal, or open a new one.')
}

function notReading(queuedBytes: number): AppError {
  return new AppError(
    'IO_ERROR',
    `The program does not read its input: ${queuedBytes} bytes wait already`,
    'Wait until it reads, or interrupt it.'
  )
}
