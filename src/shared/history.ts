import type { Actor, TerminalId, WorkspaceKey } from './terminal'

/** A command that was run in a shell. */
export interface CommandDeed {
  kind: 'command'
  command: string
  exitCode: number | null
  durationMs: number | null
  running: boolean
}

/** Something else that was done, or refused: `create`, `take`, or a tool's name. */
export interface ActionDeed {
  kind: 'action'
  action: string
  /** `OK`, or the code of the refusal. */
  outcome: string
  /** What became of it: a new name, another session, the agent. */
  to?: string
  /** How often in a row. */
  times: number
}

/** One thing that a person or an agent did. */
export interface HistoryEntry {
  id: string
  time: string
  /** Null when nobody knows who pressed Enter. */
  actor: Actor | null
  terminal: { id: TerminalId; name: string } | null
  workspace: WorkspaceKey | null
  deed: CommandDeed | ActionDeed
}
