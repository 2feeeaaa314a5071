import { z } from 'zod'
import type { TerminalId } from '../../shared/terminal'
import type { Logger } from '../log'
import { keptRecordsSchema } from './commandRecords'

/** The first change is kept at once, for a host that is killed next; many in a row are kept together. */
const SETTLE_MS = 250

/** What the next host must know of a shell that runs on. */
export const keptShellSchema = z.object({
  state: z.enum(['unknown', 'prompt', 'running']),
  cwd: z.string().nullable(),
  commands: keptRecordsSchema,
  /** The mark that the end of a command in a shell without our marks will print. */
  pendingMark: z.string().optional()
})
export type KeptShell = z.infer<typeof keptShellSchema>

/** Where it is kept, for nobody but the owner. */
export interface ShellShelf {
  load(id: TerminalId): unknown
  save(id: TerminalId, kept: unknown): Promise<void>
  remove(id: TerminalId): void
}

/** Keeps what is known of one shell as soon as it changed. */
export class ShellKeeper {
  #timer: NodeJS.Timeout | undefined
  #isChanged = false
  #isOver = false
  #saving: Promise<void> = Promise.resolve()

  constructor(
    private readonly id: TerminalId,
    private readonly parts: { shelf: ShellShelf | undefined; kept: () => KeptShell; log: Logger }
  ) {}

  changed(): void {
    if (!this.parts.shelf || this.#isOver) return
    this.#isChanged = true
    if (this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#isChanged) this.changed()
    }, SETTLE_MS)
    // What belongs together changes in one turn of the loop.
    setImmediate(() => void this.#save())
  }

  /** Keeps at once what has changed and is not kept yet. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#save()
  }

  /** The terminal is over, or another host's: there is nothing to keep any more, whatever is still heard of it. */
  forget(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isChanged = false
  }

  #save(): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      if (!this.#isChanged) return
      this.#isChanged = false
      try {
        await this.parts.shelf?.save(this.id, this.parts.kept())
      } catch (thrown) {
        this.parts.log.warn({ err: thrown, terminal: this.id }, 'The commands of a terminal could not be kept')
      }
    })
    return this.#saving
  }
}
