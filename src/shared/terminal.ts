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
  /** Ended terminals that nobody closed, where there are any. */
  offered: z.number().int().optional()
})
export type WorkspaceSummary = z.infer<typeof workspaceSummarySchema>

/** Who typed: a person, or an agent by name. */
export type Actor = { kind: 'person'; name: string } | { kind: 'agent'; name: string }
