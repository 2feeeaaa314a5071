import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../log'
import { isMissing, readPrivateFile } from './privateFile'

const FILE = /^([0-9a-f-]{36})\.json$/

/**
 * One 0600 file for each living terminal with its commands, for the next host. Not forced to the disk: whatever loses a
 * file that was written loses the terminals too.
 */
export class CommandShelf {
  readonly #folder: string
  readonly #log: Logger
  readonly #removed = new Set<string>()

  constructor(dataDir: string, log: Logger) {
    this.#folder = join(dataDir, 'commands')
    this.#log = log
  }

  load(id: string): unknown {
    try {
      const text = readPrivateFile(this.#path(id))
      return text === undefined ? undefined : JSON.parse(text)
    } catch (failure) {
      this.#log.warn({ err: failure, id }, 'The commands of a terminal could not be read')
      return undefined
    }
  }

  async save(id: string, kept: unknown): Promise<void> {
    this.#removed.delete(id)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const temporary = join(this.#folder, `.${randomBytes(6).toString('hex')}.tmp`)
    try {
      await writeFile(temporary, JSON.stringify(kept), { mode: 0o600, flag: 'wx' })
      await rename(temporary, this.#path(id))
    } catch (failure) {
      await rm(temporary, { force: true })
      throw failure
    }
    // Its terminal was closed meanwhile.
    if (this.#removed.has(id)) this.remove(id)
  }

  remove(id: string): void {
    this.#removed.add(id)
    for (const path of [this.#path(id), this.inputOf(id)]) rmSync(path, { force: true })
  }

  /** Files of terminals that are no more, and what a killed host left half-written. */
  removeAllBut(ids: ReadonlySet<string>): void {
    for (const name of this.#names()) {
      if (!ids.has(FILE.exec(name)?.[1] ?? '')) rmSync(join(this.#folder, name), { force: true })
    }
  }

  /** A file beside them for the line that its shell is to take next; it holds nothing between lines, and one that is left over goes with the next start. */
  inputOf(id: string): string {
    return join(this.#folder, `${id}.input`)
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder)
    } catch (failure) {
      if (isMissing(failure)) return []
      throw failure
    }
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`)
  }
}
