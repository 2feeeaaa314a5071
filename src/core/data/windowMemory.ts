import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../shared/errors'
import type { Logger } from '../log'
import { readPrivateFile, writePrivateFile } from './privateFile'

const MAX_ENTRIES = 300
const MAX_NAME_CHARACTERS = 5000
const MAX_TEXT_CHARACTERS = 16_384

const fileSchema = z.array(z.tuple([z.string(), z.string()]))

/**
 * What windows want to find again at their next visit: which tab was active, how panes are split. Conveniences alone,
 * which only windows understand; so a file that cannot be read counts as nothing remembered.
 */
export class WindowMemory {
  readonly #path: string
  readonly #log: Logger
  #entries: Map<string, string> | undefined

  constructor({ dataDir, log }: { dataDir: string; log: Logger }) {
    this.#path = join(dataDir, 'window-memory.json')
    this.#log = log
  }

  recall(): Record<string, string> {
    return Object.fromEntries(this.#read())
  }

  remember(name: string, text: string): void {
    if (name.length > MAX_NAME_CHARACTERS || text.length > MAX_TEXT_CHARACTERS) {
      throw new AppError('PAYLOAD_TOO_LARGE', 'A window wants to remember more than there is room for')
    }
    const entries = this.#read()
    if (entries.get(name) === text) return
    // The newest are last, so that the first ones make room.
    entries.delete(name)
    entries.set(name, text)
    for (const oldest of [...entries.keys()].slice(0, -MAX_ENTRIES)) entries.delete(oldest)
    writePrivateFile(this.#path, `${JSON.stringify([...entries])}\n`)
  }

  #read(): Map<string, string> {
    this.#entries ??= this.#load()
    return this.#entries
  }

  #load(): Map<string, string> {
    try {
      return new Map(fileSchema.parse(JSON.parse(readPrivateFile(this.#path) ?? '[]')))
    } catch (failure) {
      this.#log.warn({ err: failure }, 'What windows remembered cannot be read; they begin afresh')
      return new Map()
    }
  }
}
