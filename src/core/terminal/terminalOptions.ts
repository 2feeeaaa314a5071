import type { BackendKind, Size, TerminalId } from '../../shared/terminal'
import type { RememberedModes } from '../backends/backend'
import type { Logger } from '../log'
import type { Emulation } from './emulation'
import type { ShellShelf } from './keptShell'
import type { LogLimits } from './outputLog'
import type { ShellInput } from './shellInput'

/** What makes a terminal. */
export interface TerminalOptions {
  id: TerminalId
  tmuxSession: string
  backendKind: BackendKind
  size: Size
  /** Where the log begins: 0 for a new program, the reserved offset for one that was found alive. */
  beginsAt: number
  reservedOffset: number
  modes: RememberedModes
  /** What our shell scripts sign their marks with. */
  nonce: string
  /** It was started with our script for its shell. */
  isIntegrated: boolean
  shelf: ShellShelf | undefined
  /** How its shell is given a line; absent for programs that take none. */
  input?: ShellInput | undefined
  /** After so long at rest a keyboard that was taken is given back; 0: never. */
  giveBackAfterMs: () => number
  scrollback: number
  logLimits: () => LogLimits
  emulation: Emulation
  log: Logger
}
