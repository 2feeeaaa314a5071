import { AppError } from '../../../shared/errors'
import type { ForegroundProgram } from '../../backends/backend'
import { patterns } from '../../terminal/patterns'
import { isCarrier, mayHoldShell } from '../../terminal/shellCarriers'
import type { Terminal } from '../../terminal/terminal'
import { processExited } from '../../terminal/terminalErrors'
import { isShell } from '../../workspace/placeTerminal'
import { quote } from '../../workspace/quote'
import { PROMPT_PATIENCE_MS, PROMPT_QUIET_MS } from './limits'
import { runningIn } from './runs'

/** How a command can be run now: by the shell's own marks, by marks that the command prints, or typed and no more. */
export type Way = 'integrated' | 'marked' | 'typed'

const ZSH_PROMPT = /%\s*$/
/** Where it is not known whether a zsh is there: how far something is ends in the same sign. */
const PERHAPS_ZSH_PROMPT = /[^\d\s]\s?%\s*$/
/** Options of shells that take the next word. */
const WITH_WORD = new Set(['--rcfile', '--init-file', '-o', '+o', '-O', '+O', '-C'])

export interface Busy {
  what: string
  /** It is only making its prompt. */
  isStarting?: boolean
}

/** How to run a command now, or what runs. */
export async function wayInto(terminal: Terminal, promptPattern: string): Promise<Way | Busy> {
  if (terminal.state === 'exited') throw processExited(terminal.exit)
  const { state } = terminal.shell
  if (state === 'prompt') return 'integrated'
  const running = runningIn(terminal)
  if (state === 'running' && !terminal.commands.current) return { what: 'the shell itself', isStarting: true }
  await endUnseen(terminal, promptPattern)
  const foreground = await terminal.foreground()
  if (terminal.shell.markers.pending) return { what: terminal.commands.current?.command ?? 'a command' }
  if (state === 'unknown' && running) return { what: running.command }
  if (state === 'unknown' && foreground?.isOwnProgram) return isShell(foreground.name) ? 'marked' : 'typed'
  if (foreground && (await isShellInside(terminal, foreground, promptPattern))) return 'marked'
  return { what: terminal.commands.current?.command || (foreground?.name ?? 'a program') }
}

/** A marked command that began under an earlier host may have ended while there was none: the prompt is the only sign. */
export async function endUnseen(terminal: Terminal, promptPattern: string): Promise<void> {
  const { markers } = terminal.shell
  if (markers.pending === undefined || runningIn(terminal) || terminal.state !== 'running') return
  const foreground = await terminal.foreground()
  if (!foreground || !mayBeShell(foreground) || !(await becomesQuiet(terminal))) return
  if (await looksReady(terminal, foreground, promptPattern)) markers.abandon()
}

/** A shell that something else started, and that looks as if it waited for a command. */
async function isShellInside(terminal: Terminal, foreground: ForegroundProgram, pattern: string): Promise<boolean> {
  if (foreground.isOwnProgram || !mayBeShell(foreground)) return false
  const isQuiet = await becomesQuiet(terminal)
  return isQuiet && !(await terminal.needsPerson()) && looksReady(terminal, foreground, pattern)
}

function mayBeShell({ name, words }: ForegroundProgram): boolean {
  return mayHoldShell(name) || (isShell(name) && isInteractive(words))
}

/** A shell that was given a script, or a command, reads nothing but the answers to its questions. */
function isInteractive(words: readonly string[]): boolean {
  const options = words.slice(1).filter((_, index, all) => !WITH_WORD.has(all[index - 1] ?? ''))
  return options.every((word) => /^[-+]/.test(word) && !/^-[a-z]*c/.test(word))
}

/** A prompt that is only just drawn is waited for; a program that goes on printing is not. */
async function becomesQuiet(terminal: Terminal): Promise<boolean> {
  const untilMs = performance.now() + PROMPT_PATIENCE_MS
  for (let end = -1; performance.now() < untilMs; ) {
    if (end === terminal.log.end) return true
    end = terminal.log.end
    await new Promise((resolve) => setTimeout(resolve, PROMPT_QUIET_MS))
  }
  return false
}

/** Whether the last line on the screen is such as shells ask for a command with, and stays while it is looked at. */
export async function looksReady(terminal: Terminal, { name }: ForegroundProgram, pattern: string): Promise<boolean> {
  const line = terminal.screen.text().findLast((row) => row !== '') ?? ''
  const { end } = terminal.log
  if (await patterns.find(pattern, line)) return terminal.log.end === end
  return isCarrier(name) ? PERHAPS_ZSH_PROMPT.test(line) : name === 'zsh' && ZSH_PROMPT.test(line)
}

export function terminalBusy({ what }: Busy): AppError {
  return new AppError(
    'TERMINAL_BUSY',
    `${quote(what)} is running in this terminal`,
    'Wait for it (read_terminal_output shows how far it is), pass queue:true, or use another terminal.'
  )
}
