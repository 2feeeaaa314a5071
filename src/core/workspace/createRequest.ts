import type { Warning } from '../../shared/errors'
import type { TerminalSession, WorkspaceKey } from '../../shared/terminal'
import type { OpenedBy } from '../backends/stamp'
import type { ProgramRequest } from './newProgram'

/** A new terminal, and the workspace it is to be in. */
export interface CreateRequest extends WorkspaceKey, ProgramRequest {
  name?: string | undefined
  openedBy?: OpenedBy | undefined
  /** Repeats of this create by the same caller with the same key share one outcome. */
  idempotency?: { caller: string; key: string } | undefined
}

export interface Created {
  record: TerminalSession
  warnings: Warning[]
}
