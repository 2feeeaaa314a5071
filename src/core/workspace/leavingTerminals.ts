import { join } from 'node:path'
import { z } from 'zod'
import type { TerminalId } from '../../shared/terminal'
import { readPrivateFile, writePrivateFile } from '../data/privateFile'
import type { Logger } from '../log'

const leavingSchema = z.object({
  id: z.guid(),
  project: z.string(),
  session: z.string(),
  /** When its program ends. */
  dueAt: z.number()
})
export type Leaving = z.infer<typeof leavingSchema>

/**
 * Terminals that were closed and whose programs live on for a while. They are written down in the data dir, so that the
 * next host ends them when this one cannot; never in a project, whose files must not be able to end anything.
 */
export class LeavingTerminals {
  readonly #path: string
  readonly #log: Logger
  readonly #leaving: Map<TerminalId, Leaving>

  constructor(dataDir: string, log: Logger) {
    this.#path = join(dataDir, 'closing.json')
    this.#log = log
    this.#leaving = new Map(this.#read().map((one) => [one.id, one]))
  }

  /** Oldest first. */
  all(): Leaving[] {
    return [...this.#leaving.values()]
  }

  has(id: TerminalId): boolean {
    return this.#leaving.has(id)
  }

  add(...leaving: Leaving[]): void {
    for (const one of leaving) this.#leaving.set(one.id, one)
    this.#write()
  }

  /** False when it is not leaving. */
  delete(id: TerminalId): boolean {
    if (!this.#leaving.delete(id)) return false
    this.#write()
    return true
  }

  #read(): Leaving[] {
    try {
      return z.array(leavingSchema).parse(JSON.parse(readPrivateFile(this.#path) ?? '[]'))
    } catch (failure) {
      this.#log.warn({ err: failure }, 'Which terminals were being closed cannot be read; they are listed again')
      return []
    }
  }

  // What cannot be written is still ended by this host; after a crash the terminal would be listed again.
  #write(): void {
    try {
      writePrivateFile(this.#path, `${JSON.stringify(this.all())}\n`)
    } catch (failure) {
      this.#log.warn({ err: failure }, 'Which terminals are being closed could not be written down')
    }
  }
}
