import { closeSync, openSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

// tmux hands these paths to a shell after strftime and format expansion.
const SAFE_PATH = /^\/[A-Za-z0-9/_.-]{1,90}$/

/** Names and passing files in this host's private directory. */
export class RuntimeFiles {
  readonly #directory: string
  #count = 0

  constructor(directory: string) {
    if (!SAFE_PATH.test(directory)) throw new RangeError(`The runtime directory "${directory}" has unsafe characters`)
    this.#directory = directory
  }

  /** A path nobody used before. */
  path(kind: string): string {
    return join(this.#directory, `${kind}${this.#count++}`)
  }

  named(name: string): string {
    return join(this.#directory, name)
  }

  /** An empty file only we can read, for tmux to fill. */
  make(kind: string): string {
    const path = this.path(kind)
    closeSync(openSync(path, 'wx', 0o600))
    return path
  }

  /** Lends `bytes` as a file for as long as `use` takes. */
  async lend<T>(bytes: Uint8Array, use: (path: string) => Promise<T>): Promise<T> {
    const path = this.path('i')
    try {
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
      return await use(path)
    } finally {
      await rm(path, { force: true })
    }
  }

  async take(path: string): Promise<Buffer> {
    const bytes = await readFile(path)
    await rm(path, { force: true })
    return bytes
  }
}
