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
  available: z.boolean()
})
export type WorkspaceSummary = z.infer<typeof workspaceSummarySchema>

/** Who typed: a person, or an agent by name. */
export type Actor = { kind: 'person'; name: string } | { kind: 'agent'; name: string }
