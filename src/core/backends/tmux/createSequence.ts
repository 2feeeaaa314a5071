import { AppError } from '../../../shared/errors'
import type { ProgramSpec } from '../backend'
import { DuplicateNameError } from '../duplicateName'
import { encodeStamp } from '../stamp'
import { diedHook, pipeCommand } from './attachSequence'
import type { OutputPipe } from './outputPipe'
import { encodeModes } from './paneState'
import { programCommand } from './programCommand'
import { type Command, literalFormat } from './quote'
import type { Pane, TmuxParts } from './tmuxParts'
import { requireUsable } from './tmuxTerminal'

const SESSION_NAME = /^[A-Za-z0-9_-]{1,64}$/
const MARK = 'created'
const NO_MODES = { bracketedPaste: false, focusReporting: false, cursorShape: 0 }

export interface CreateOptions {
  parts: TmuxParts
  pipe: OutputPipe
  term: string
  scrollback: number
}

/** Starts the program, stamps it and opens its pipe in one sequence: it is never there without its owner's name. */
export async function createSequence(spec: ProgramSpec, options: CreateOptions): Promise<Pane> {
  checkSpec(spec)
  const { control } = options.parts
  const { lines, refusal } = await control.ask(sequence(spec, options))
  const [, paneId, pid, tty] = lines.find((line) => line.startsWith(`${MARK} `))?.split(' ') ?? []
  if (refusal === undefined && paneId && tty) return { tmuxSession: spec.tmuxSession, paneId, pid: Number(pid), tty }
  if (paneId) await control.ask([['kill-session', '-t', `=${spec.tmuxSession}`]])
  if (refusal?.startsWith('duplicate session')) throw new DuplicateNameError(spec.tmuxSession)
  throw new AppError('PTY_ERROR', `tmux did not start "${spec.command[0]}": "${refusal ?? 'no answer'}"`)
}

function sequence(spec: ProgramSpec, { parts, pipe, term, scrollback }: CreateOptions): Command[] {
  const { tmuxSession, stamp, cwd, size, reservedOffset } = spec
  const target = `=${tmuxSession}:`
  const { words, environment } = programCommand(spec, { term, globalNames: parts.control.globalNames })
  const geometry = ['-x', String(size.cols), '-y', String(size.rows)]
  const printed = `${MARK} #{pane_id} #{pane_pid} #{pane_tty}`
  const place = ['-s', tmuxSession, '-c', literalFormat(cwd)]
  const option = (name: string, value: string): Command => ['set-option', '-t', target, name, value]
  return [
    ['set-option', '-g', 'history-limit', String(scrollback)],
    ['new-session', '-d', '-E', '-P', '-F', printed, ...place, ...geometry, ...environment, '--', ...words],
    option('@tandem_owner', stamp.owner),
    option('@tandem_stamp', encodeStamp(stamp)),
    option('@tandem_offset', String(reservedOffset)),
    option('@tandem_modes', encodeModes(NO_MODES)),
    // Per window: other clients' sizes then never reach it. Set globally it crashes tmux.
    ['set-option', '-w', '-t', target, 'window-size', 'manual'],
    ['resize-window', '-t', target, ...geometry],
    diedHook(target, parts.eventPath()),
    pipeCommand(target, pipe, parts.eventPath())
  ]
}

function checkSpec({ tmuxSession, size }: ProgramSpec): void {
  if (!SESSION_NAME.test(tmuxSession)) {
    throw new AppError('INVALID_ARGUMENTS', `"${tmuxSession}" is no session name`, 'Use letters, digits, "_" and "-".')
  }
  requireUsable(size)
}
