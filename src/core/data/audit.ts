import { join } from 'node:path'
import { z } from 'zod'
import { type Access, maySee } from '../../shared/access'
import { AppError } from '../../shared/errors'
import type { Logger } from '../log'
import { RotatingFile, readRotatingFile } from './rotatingFile'

const AUDIT_BYTES = 1024 * 1024
const AUDIT_FILES = 3
/** What a running host can be asked for; the file goes further back. */
const MAX_IN_MEMORY = 1000
const MAX_TEXT_CHARACTERS = 512
const MAX_PATH_CHARACTERS = 4096

const deedSchema = z.object({
  /** Whose token it was, and what the client calls itself. */
  actor: z.object({ token: z.string(), client: z.string() }),
  /** What was done: create, rename, reorder, kill, remove, attach, detach, hand-over, start, stop, or a tool's name. */
  action: z.string(),
  terminal: z.object({ id: z.string(), name: z.string() }).optional(),
  project: z.string().optional(),
  session: z.string().optional(),
  /** What became of it: a terminal's new name, the session it went to, the agent that was connected. */
  to: z.string().optional(),
  /** `OK`, or the code of the refusal. */
  outcome: z.string()
})
/** Somebody did something, or tried to. Never what was typed or printed. */
export type Deed = z.infer<typeof deedSchema>

export const auditEntrySchema = deedSchema.extend({ id: z.number().int(), time: z.string() })
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** Who did what in which terminal: the newest in memory, all of it bounded in a 0600 file of JSON lines. */
export class Audit {
  readonly #entries: AuditEntry[]
  readonly #file: RotatingFile | undefined
  readonly #log: Logger | undefined
  readonly #listeners = new Set<() => void>()
  #nextId: number
  #isTroubled = false

  /** Without a data dir it is kept in memory alone. */
  constructor(kept?: { dataDir: string; log: Logger }) {
    this.#file = kept && new RotatingFile(placeOf(kept.dataDir))
    this.#log = kept?.log
    this.#entries = kept ? this.#earlier(kept.dataDir) : []
    this.#nextId = (this.#entries.at(-1)?.id ?? 0) + 1
  }

  record(deed: Deed): void {
    const entry = { id: this.#nextId++, time: new Date().toISOString(), ...shortened(deed) }
    this.#entries.push(entry)
    if (this.#entries.length > MAX_IN_MEMORY) this.#entries.shift()
    this.#attempt(() => this.#file?.append(JSON.stringify(entry)))
    for (const listener of this.#listeners) listener()
  }

  /** Something was recorded. */
  onRecord(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Runs something and records how it ended, whichever way that is. `found`: the terminal that it made. */
  async recordOutcome<T>(
    deed: Omit<Deed, 'outcome'>,
    run: () => Promise<T>,
    found?: (value: T) => Deed['terminal']
  ): Promise<T> {
    try {
      const value = await run()
      this.record({ ...deed, ...(found ? { terminal: found(value) } : {}), outcome: outcomeOf(value) })
      return value
    } catch (thrown) {
      this.record({ ...deed, outcome: AppError.from(thrown).code })
      throw thrown
    }
  }

  /** The newest entries this caller may see, oldest first. What belongs to no project is for those who see them all. */
  list(access: Access, limit: number): AuditEntry[] {
    const visible = this.#entries.filter(({ project }) =>
      project === undefined ? access.projects === null : maySee(access, project)
    )
    return limit > 0 ? visible.slice(-limit) : []
  }

  close(): void {
    this.#file?.close()
  }

  #earlier(dataDir: string): AuditEntry[] {
    let entries: AuditEntry[] = []
    this.#attempt(() => {
      entries = readAudit(dataDir, MAX_IN_MEMORY)
    })
    return entries
  }

  // A full disk is told once and keeps nobody from working.
  #attempt(act: () => void): void {
    try {
      act()
      this.#isTroubled = false
    } catch (err) {
      if (!this.#isTroubled) this.#log?.warn({ err }, 'The audit trail cannot be written; it goes on in memory')
      this.#isTroubled = true
    }
  }
}

/** The declared fields of a deed and no others; names come from outside and are cut. */
function shortened({ actor, action, terminal, project, session, to, outcome }: Deed): Deed {
  const cut = (value: string) => value.slice(0, MAX_TEXT_CHARACTERS)
  return {
    actor: { token: cut(actor.token), client: cut(actor.client) },
    action: cut(action),
    ...(terminal === undefined ? {} : { terminal: { id: cut(terminal.id), name: cut(terminal.name) } }),
    ...(project === undefined ? {} : { project: project.slice(0, MAX_PATH_CHARACTERS) }),
    ...(session === undefined ? {} : { session: cut(session) }),
    ...(to === undefined ? {} : { to: cut(to) }),
    outcome
  }
}

/** An answer without success means that there was nothing of that name. */
export function outcomeOf(answer: unknown): string {
  const isObject = typeof answer === 'object' && answer !== null && 'success' in answer
  return (isObject ? answer.success : answer) === false ? 'SESSION_NOT_FOUND' : 'OK'
}

/** Every entry in the file, or those of its newest lines, oldest first; torn lines are left out. */
export function readAudit(dataDir: string, newest?: number): AuditEntry[] {
  return readRotatingFile(placeOf(dataDir), newest).flatMap((line) => parseEntry(line) ?? [])
}

function parseEntry(line: string): AuditEntry | undefined {
  try {
    return auditEntrySchema.safeParse(JSON.parse(line)).data
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}

function placeOf(dataDir: string) {
  return { path: join(dataDir, 'audit.jsonl'), maxBytes: AUDIT_BYTES, maxFiles: AUDIT_FILES }
}
