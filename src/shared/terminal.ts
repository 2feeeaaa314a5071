import { z } from 'zod'

/** A terminal's UUID. */
export type TerminalId = string

export interface Size {
  rows: number
  cols: number
}

/** Limits of a terminal's size: tmux refuses 0 and 65535, and nobody reads more than this. */
export const SIZE_LIMITS = { minRows: 1, maxRows: 500, minCols: 2, maxCols: 1000 } as const

export function isUsableSize({ rows, cols }: Size): boolean {
  return (
    Number.isInteger(rows) &&
    Number.isInteger(cols) &&
    rows >= SIZE_LIMITS.minRows &&
    rows <= SIZE_LIMITS.maxRows &&
    cols >= SIZE_LIMITS.minCols &&
    cols <= SIZE_LIMITS.maxCols
  )
}

/** How a program ended: a code, or the signal that killed it (`SIGKILL`), never both. */
export interface ExitStatus {
  exitCode: number | null
  signal: string | null
}

export const terminalStateSchema = z.enum(['running', 'exited', 'lost', 'unknown', 'unavailable'])
export type TerminalState = z.infer<typeof terminalStateSchema>

export const backendKindSchema = z.enum(['tmux', 'pty'])
export type BackendKind = z.infer<typeof backendKindSchema>

/** One terminal as every door shows it. */
export const terminalSessionSchema = z.object({
  id: z.string(),
  name: z.string(),
  tmuxSession: z.string(),
  created: z.string(),
  order: z.number().int(),
  state: terminalStateSchema,
  backend: backendKindSchema,
  cwd: z.string(),
  program: z.string(),
  pid: z.number().int().nullable(),
  exitCode: z.number().int().nullable()
})
export type TerminalSession = z.infer<typeof terminalSessionSchema>

/**
 * Why a terminal is over. `closed`: somebody closed it. `vanished`: its program, or the tmux server it ran in, ended while
 * nobody had asked for that. `host-rebooted`: the machine was started again meanwhile.
 */
export const endReasonSchema = z.enum(['closed', 'vanished', 'host-rebooted'])
export type EndReason = z.infer<typeof endReasonSchema>

/** A terminal that is over and can be started again. */
export const endedTerminalSchema = terminalSessionSchema
  .pick({
    id: true,
    name: true,
    tmuxSession: true,
    created: true,
    order: true,
    backend: true,
    cwd: true,
    program: true
  })
  .extend({
    endedAt: z.string(),
    reason: endReasonSchema,
    /** Nobody closed it, so the page offers to start it again. */
    offered: z.boolean()
  })
export type EndedTerminal = z.infer<typeof endedTerminalSchema>

/** One project and one collab session: the owner of an ordered list of terminals. */
export interface WorkspaceKey {
  project: string
  session: string
}

export const workspaceSummarySchema = z.object({
  project: z.string(),
  session: z.string(),
  terminals: z.number().int(),
  running: z.number().int(),
  available: z.boolean(),
  /** What the terminal is about that wants a person most; absent when all are at rest. */
  urgent: z.enum(['needs-you', 'failed', 'working']).optional(),
  /** Ended terminals that nobody closed, where there are any. */
  offered: z.number().int().optional()
})
export type WorkspaceSummary = z.infer<typeof workspaceSummarySchema>

/** Who typed. `key` tells agents of one name apart. */
export const actorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person'), name: z.string() }),
  z.object({ kind: z.literal('agent'), name: z.string(), key: z.string() })
])
export type Actor = z.infer<typeof actorSchema>
export type Person = Extract<Actor, { kind: 'person' }>
export type Agent = Extract<Actor, { kind: 'agent' }>

/** Who has the keyboard of a terminal. */
export const controlStateSchema = z.object({
  holder: actorSchema.nullable(),
  since: z.string().nullable(),
  /** Held by Take until it is given back. */
  isTaken: z.boolean(),
  /** A prompt that does not show what is typed waits for the person. */
  needsPerson: z.boolean()
})
export type ControlState = z.infer<typeof controlStateSchema>

/** One command that somebody ran in a terminal's shell. */
export const commandRecordSchema = z.object({
  id: z.string(),
  terminalId: z.string(),
  /** Who pressed Enter; null when that is not known. */
  actor: actorSchema.nullable(),
  /** The line as it was typed; empty when the shell keeps it out of its history. */
  command: z.string(),
  cwd: z.string().nullable(),
  started: z.string(),
  durationMs: z.number().nullable(),
  exitCode: z.number().int().nullable(),
  running: z.boolean(),
  /** Offsets in the output log; `to` is null while it runs. */
  output: z.object({ from: z.number().int(), to: z.number().int().nullable() })
})
export type CommandRecord = z.infer<typeof commandRecordSchema>
