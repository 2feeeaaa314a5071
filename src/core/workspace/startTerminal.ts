import { AppError } from '../../shared/errors'
import type { Size } from '../../shared/terminal'
import { DuplicateNameError } from '../backends/duplicateName'
import type { Stamp } from '../backends/stamp'
import type { Terminal } from '../terminal/terminal'
import type { Terminals } from '../terminal/terminals'
import { type PickNumber, tmuxSessionName } from './names'
import { TERMINAL_ID_VARIABLE } from './programEnvironment'

// Of 1.6 million names per session, so many tries only fail when the random source is broken.
const MAX_TRIES = 100

export interface Program {
  command: readonly [string, ...string[]]
  cwd: string
  env: Readonly<Record<string, string>>
  size: Size
}

export interface StartRequest {
  program: Program
  stamp: Stamp
  /** The tmux name to try first. */
  tmuxSession: string
  /** Names that records hold, whether their session lives or not. */
  taken: ReadonlySet<string>
  pick?: PickNumber | undefined
  /** The offset of its first byte of output. */
  beginsAt: number
}

/** Starts a program under a tmux name that nothing else has; a name that exists means a new random part. */
export async function startTerminal(
  terminals: Terminals,
  { program, stamp, tmuxSession: first, taken, pick, beginsAt }: StartRequest
): Promise<Terminal> {
  const env = { ...program.env, [TERMINAL_ID_VARIABLE]: stamp.id }
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const tmuxSession = attempt === 0 ? first : tmuxSessionName(stamp.session, pick)
    if (taken.has(tmuxSession) || terminals.byHandle(tmuxSession)) continue
    try {
      return await terminals.create({ tmuxSession, stamp, beginsAt, ...program, env })
    } catch (failure) {
      if (!(failure instanceof DuplicateNameError)) throw failure
    }
  }
  throw new AppError('PTY_ERROR', `No free session name after ${MAX_TRIES} tries`, 'Try again.')
}
