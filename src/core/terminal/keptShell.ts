import { z } from 'zod'
import type { TerminalId } from '../../shared/terminal'
import type { Logger } from '../log'
import { keptRecordsSchema } from './commandRecords'

/** Many commands in a row are kept together. */
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

/** Keeps what is known of one shell, shortly after it changed. */
export class ShellKeeper {
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly id: TerminalId,
    private readonly parts: { shelf: ShellShelf | undefined; kept: () => KeptShell; log: Logger }
  ) {}

  changed(): void {
    if (this.parts.shelf) this.#timer ??= setTimeout(() => void this.settle(), SETTLE_MS)
  }

  /** Keeps at once what has changed and is not kept yet. */
  async settle(): Promise<void> {
    if (!this.#timer) return
    this.forget()
    try {
      await this.parts.shelf?.save(this.id, this.parts.kept())
    } catch (thrown) {
      this.parts.log.warn({ err: thrown, terminal: this.id }, 'The commands of a terminal could not be kept')
    }
  }

  /** The terminal is over: there is nothing to keep. */
  forget(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
