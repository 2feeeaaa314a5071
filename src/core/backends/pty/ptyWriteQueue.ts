import { write } from 'node:fs'
import { AppError } from '../../../shared/errors'

/** More than this waiting means that the program does not read at all. */
const MAX_QUEUED_BYTES = 16 * 1024 * 1024
const FIRST_RETRY_MS = 1
const LAST_RETRY_MS = 50

interface Waiting {
  bytes: Uint8Array
  done(failure?: Error): void
}

/**
 * Bytes to a pty, in order. A program that does not read fills the kernel's buffer; then we come back ever more
 * slowly instead of asking at once again and again, which would burn a whole core.
 */
export class PtyWriteQueue {
  readonly #descriptor: number
  #waiting: Waiting[] = []
  #queuedBytes = 0
  #retryMs = FIRST_RETRY_MS
  #retry: NodeJS.Timeout | undefined
  #busy = false
  #closed = false

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#closed) return Promise.reject(ended())
    if (this.#queuedBytes + bytes.length > MAX_QUEUED_BYTES) return Promise.reject(notReading(this.#queuedBytes))
    this.#queuedBytes += bytes.length
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, done: (failure) => (failure ? reject(failure) : resolve()) })
      this.#next()
    })
  }

  /** What still waits is refused: the program is gone. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#retry)
    for (const { done } of this.#waiting.splice(0)) done(ended())
  }

  #next(): void {
    const first = this.#waiting[0]
    if (first === undefined || this.#busy || this.#closed) return
    this.#busy = true
    write(this.#descriptor, first.bytes, 0, first.bytes.length, null, (failure, written) => {
      this.#busy = false
      if (this.#closed) return
      if (failure) this.#failed(failure)
      else this.#wrote(first, written)
    })
  }

  #wrote(first: Waiting, written: number): void {
    this.#retryMs = FIRST_RETRY_MS
    this.#queuedBytes -= written
    first.bytes = first.bytes.subarray(written)
    if (first.bytes.length === 0) this.#waiting.shift()?.done()
    this.#next()
  }

  #failed(failure: NodeJS.ErrnoException): void {
    if (failure.code === 'EAGAIN') {
      this.#retry = setTimeout(() => this.#next(), this.#retryMs)
      this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
      return
    }
    const first = this.#waiting.shift()
    this.#queuedBytes -= first?.bytes.length ?? 0
    first?.done(
      new AppError('IO_ERROR', `Writing to the terminal failed: ${failure.message}`, undefined, { cause: failure })
    )
    this.#next()
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
