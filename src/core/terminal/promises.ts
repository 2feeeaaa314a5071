import { AppError } from '../../shared/errors'

/** Promises that are still open when their maker goes away are rejected, so that nobody waits for ever. */
export class Promises {
  readonly #rejecters = new Set<(reason: unknown) => void>()
  #closed = false

  make<T>(start: (resolve: (value: T) => void, reject: (reason: unknown) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(letGo())
      this.#rejecters.add(reject)
      const settle = (): unknown => this.#rejecters.delete(reject)
      start(
        (value) => {
          settle()
          resolve(value)
        },
        (reason) => {
          settle()
          reject(reason)
        }
      )
    })
  }

  rejectAll(): void {
    this.#closed = true
    for (const reject of this.#rejecters) reject(letGo())
    this.#rejecters.clear()
  }
}

function letGo(): AppError {
  return new AppError('SESSION_ERROR', 'The terminal was let go', 'Attach to it again.')
}
