import { AppError } from '../../../shared/errors'
import type { ForegroundProgram } from '../../backends/backend'
import type { Terminal } from '../../terminal/terminal'
import { processExited } from '../../terminal/terminalErrors'
import { isShell } from '../../workspace/placeTerminal'
import { quote } from '../../workspace/quote'
import { PROMPT_QUIET_MS } from './limits'
import { runningIn } from './runs'

/** How a command can be run now: by the shell's own marks, by marks that the command prints, or typed and no more. */
export type Way = 'integrated' | 'marked' | 'typed'

/** Programs in which another shell may wait behind a connection or a wall. */
const SHELL_CARRIERS = new Set(
  'ssh mosh-client telnet docker podman nerdctl kubectl lxc lxc-attach nsenter chroot su sudo doas busybox ash machinectl toolbox distrobox-enter'.split(
    ' '
  )
)

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
  const foreground = await terminal.foreground()
  if (state === 'unknown' && running) return { what: running.command }
  if (state === 'unknown' && foreground?.isOwnProgram) return isShell(foreground.name) ? 'marked' : 'typed'
  if (foreground && (await isShellInside(terminal, foreground, promptPattern))) return 'marked'
  return { what: terminal.commands.current?.command || (foreground?.name ?? 'a program') }
}

/** A shell that something else started, and that looks as if it waited for a command. */
async function isShellInside(terminal: Terminal, foreground: ForegroundProgram, pattern: string): Promise<boolean> {
  const isKnown = isShell(foreground.name) || SHELL_CARRIERS.has(foreground.name)
  if (!isKnown || foreground.isOwnProgram) return false
  const end = terminal.log.end
  await new Promise((resolve) => setTimeout(resolve, PROMPT_QUIET_MS))
  if (terminal.log.end !== end || (await terminal.needsPerson())) return false
  const line = terminal.screen.text().findLast((row) => row !== '') ?? ''
  return new RegExp(pattern).test(line)
}

export function terminalBusy({ what }: Busy): AppError {
  return new AppError(
    'TERMINAL_BUSY',
    `${quote(what)} is running in this terminal`,
    'Wait for it (read_terminal_output shows how far it is), pass queue:true, or use another terminal.'
  )
}
