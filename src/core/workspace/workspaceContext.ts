import type { Settings } from '../../shared/settings'
import type { TerminalId, WorkspaceKey } from '../../shared/terminal'
import type { OpenedBy } from '../backends/stamp'
import type { Logger } from '../log'
import type { Terminals } from '../terminal/terminals'
import type { AttemptMarks } from './attemptMarks'
import type { ClosedTerminals } from './closedTerminals'
import type { KnownServers } from './knownServers'
import type { LeavingTerminals } from './leavingTerminals'
import type { PickNumber } from './names'
import type { ProjectGate } from './projectGate'
import type { RecordSeal } from './recordSeal'

/** What all workspaces of one host share. */
export interface WorkspaceContext {
  terminals: Terminals
  /** Which workspace each terminal of this process belongs to, proved by its stamp; never by what a file says. */
  placements: Map<TerminalId, string>
  /** Which toolset opened a terminal of this process; absent: a person. */
  openers: Map<TerminalId, OpenedBy>
  attempts: AttemptMarks
  closed: ClosedTerminals
  /** Closed but not ended yet: in no list. */
  leaving: LeavingTerminals
  settings: () => Settings
  owner: string
  gate: ProjectGate
  seal: RecordSeal
  servers: KnownServers
  log: Logger
  pick?: PickNumber | undefined
  unsavedRetryMs?: number | undefined
  /** Whether a host with another owner id runs on this machine. */
  ownerIsRunning(owner: string): Promise<boolean>
  changed(key: WorkspaceKey): void
}
