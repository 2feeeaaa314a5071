import type { SafeDirectory } from './safeDirectory'
import { putInPlace, type Replacement, removeFile } from './safeFiles'
import type { StoreState } from './storeState'

export interface BegunSaveParts {
  state: StoreState
  /** Closed by whatever ends this save. */
  directory: SafeDirectory
  replacement: Replacement
  /** Writes the new file, and answers under which name. */
  write(): Promise<string>
  /** Runs work on the disk of the project, for as long as one may wait for it. */
  limited<T>(work: () => Promise<T>): Promise<T>
  failed(failure: unknown): Error
  done(): void
}

/** A save of which the new file is being written already; it takes effect with `commit`. One of the two must be called. */
export class BegunSave {
  readonly #parts: BegunSaveParts
  readonly #written: Promise<string>

  constructor(parts: BegunSaveParts) {
    this.#parts = parts
    this.#written = parts.limited(parts.write)
    // Whoever ends the save is told.
    this.#written.catch(() => undefined)
  }

  /** What will be saved. */
  get state(): StoreState {
    return this.#parts.state
  }

  /** Resolves when the new file is whole on the disk, so that only its name is missing; STORE_WRITE_FAILED if it cannot be. */
  async written(): Promise<void> {
    try {
      await this.#written
    } catch (failure) {
      throw this.#parts.failed(failure)
    }
  }

  /** The state as saved, or STORE_WRITE_FAILED. */
  async commit(): Promise<StoreState> {
    const { directory, replacement, failed, done, state } = this.#parts
    try {
      await this.#ending(async () => putInPlace(directory, await this.#written, replacement))
    } catch (failure) {
      throw failed(failure)
    }
    done()
    return state
  }

  /** Nothing is saved. What cannot be removed now is swept by the first save of the next host. */
  async abandon(): Promise<void> {
    const { directory } = this.#parts
    await this.#ending(async () => removeFile(directory, await this.#written)).catch(() => undefined)
  }

  // The directory is closed when the work in it is over, also when nobody waits for that any more.
  #ending(work: () => Promise<void>): Promise<void> {
    const { directory, limited } = this.#parts
    const ended = work().finally(() => directory.close())
    ended.catch(() => undefined)
    return limited(() => ended)
  }
}
