import type { ExitStatus, TerminalId, TerminalState } from '../../shared/terminal'
import type { BackendTerminal, Presence, Reader } from '../backends/backend'
import { processExited, sessionError } from './terminalErrors'

/** The program of a terminal, as far as it is there: not yet started, running, silent, lost or over. */
export class TerminalProgram {
  presence: Presence = 'ok'
  exit: ExitStatus | null = null
  isOver = false
  backend: BackendTerminal | undefined

  constructor(private readonly id: TerminalId) {}

  get state(): TerminalState {
    if (this.isOver) return 'exited'
    return this.presence === 'ok' ? 'running' : this.presence
  }

  /** For what only a running program can do; throws otherwise. */
  living(): BackendTerminal {
    if (this.isOver) throw processExited(this.exit)
    if (this.presence === 'lost') throw sessionError(this.id, 'is lost: its program is gone without an exit')
    if (this.presence === 'unknown') throw sessionError(this.id, 'does not answer now')
    return this.attached()
  }

  /** Keeps what the next host must know of it; one that is over needs nothing any more. */
  async remember(kept: Parameters<BackendTerminal['remember']>[0]): Promise<void> {
    if (!this.isOver) await this.living().remember(kept)
  }

  /** Shows its screen afresh to the reader; nobody can where the program is gone, and the screen stays as it is. */
  async resync(reader: Reader): Promise<void> {
    if (this.state === 'exited' || this.state === 'lost') return
    await this.living().resync(reader)
  }

  attached(): BackendTerminal {
    if (!this.backend) throw sessionError(this.id, 'is not started yet')
    return this.backend
  }
}
