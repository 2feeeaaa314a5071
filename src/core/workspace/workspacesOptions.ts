import type { Settings } from '../../shared/settings'
import type { BackendKind } from '../../shared/terminal'
import type { Logger } from '../log'
import type { Terminals } from '../terminal/terminals'
import type { PickNumber } from './names'

export interface WorkspacesOptions {
  terminals: Terminals
  dataDir: string
  owner: string
  settings: () => Settings
  /** The host's own environment: what programs inherit, filtered. */
  environment: NodeJS.ProcessEnv
  log: Logger
  /** Where new programs run now; absent: in tmux. */
  backendFor?: () => BackendKind
  /** The random source of tmux names. */
  pick?: PickNumber
  /** How long a project may take to answer. */
  projectLimitMs?: number
  unsavedRetryMs?: number
  /** How soon it is looked again what lives when that could not be said. */
  lookAgainMs?: number
  /** How long a closed terminal can be brought back. */
  closeGraceMs?: number
}
