import type { Settings } from '../../shared/settings'
import type { TerminalId, WorkspaceKey } from '../../shared/terminal'
import type { Logger } from '../log'
import type { Terminals } from '../terminal/terminals'
import type { KnownServers } from './knownServers'
import type { PickNumber } from './names'
import type { ProjectGate } from './projectGate'
import type { RecordSeal } from './recordSeal'

/** What all workspaces of one host share. */
export interface WorkspaceContext {
  terminals: Terminals
  /** Which workspace each terminal of this process belongs to, proved by its stamp; never by what a file says. */
  placements: Map<TerminalId, string>
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
