import type { Logger } from '../../log'
import type { ProcessTable } from '../processTable'
import type { Serial } from '../serial'
import type { SmallPrograms } from '../smallPrograms'
import type { Control } from './control'
import type { OutputPipes } from './outputPipes'
import type { PaneWatch } from './paneWatch'
import type { RuntimeFiles } from './runtimeFiles'

/** What every tmux terminal of one backend shares. */
export interface TmuxParts {
  owner: string
  control: Control
  files: RuntimeFiles
  watch: PaneWatch
  processes: ProcessTable
  programs: SmallPrograms
  log: Logger
  /** Path of this host's event FIFO. */
  eventPath(): string
  pipes: OutputPipes
  /** Screens that are asked for afresh take turns. */
  resyncs: Serial
}

/** A pane as tmux described it when it was made or found. */
export interface Pane {
  tmuxSession: string
  paneId: string
  pid: number
  tty: string
}
