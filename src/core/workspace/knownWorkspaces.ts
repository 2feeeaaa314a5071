import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { WorkspaceKey } from '../../shared/terminal'
import { readPrivateFile, writePrivateFile } from '../data/privateFile'
import type { Logger } from '../log'
import { parsedJson } from './parsedJson'

const fileSchema = z.object({
  version: z.literal(1),
  workspaces: z.array(z.object({ project: z.string().min(1), session: z.string().min(1) }))
})

/** The workspaces somebody made a terminal in, kept in the data dir. Stamps and stores win; this only says where to look. */
export class KnownWorkspaces {
  readonly #path: string
  readonly #keys = new Map<string, WorkspaceKey>()
  /** What the file says is what is known here. */
  #isWritten = true

  constructor(
    dataDir: string,
    private readonly log: Logger
  ) {
    this.#path = join(dataDir, 'workspaces.json')
    for (const key of this.#read()) this.#keys.set(nameOf(key), key)
  }

  all(): WorkspaceKey[] {
    return [...this.#keys.values()]
  }

  has(key: WorkspaceKey): boolean {
    return this.#keys.has(nameOf(key))
  }

  /** Throws when the file cannot be written; the workspace is known to this process all the same, and written with the next. */
  add({ project, session }: WorkspaceKey): void {
    if (this.#isWritten && this.has({ project, session })) return
    this.#keys.set(nameOf({ project, session }), { project, session })
    this.#write()
  }

  remove(key: WorkspaceKey): void {
    if (this.#keys.delete(nameOf(key)) || !this.#isWritten) this.#write()
  }

  #write(): void {
    this.#isWritten = false
    writePrivateFile(this.#path, `${JSON.stringify({ version: 1, workspaces: this.all() }, null, 2)}\n`)
    this.#isWritten = true
  }

  #read(): WorkspaceKey[] {
    const content = readPrivateFile(this.#path)
    if (content === undefined) return []
    const parsed = fileSchema.safeParse(parsedJson(content))
    if (parsed.success) return parsed.data.workspaces
    const aside = `${this.#path}.corrupt-${Date.now()}`
    renameSync(this.#path, aside)
    this.log.warn({ aside }, 'The list of known workspaces was damaged and was kept aside; stamps rebuild it')
    return []
  }
}

function nameOf({ project, session }: WorkspaceKey): string {
  return JSON.stringify([project, session])
}
