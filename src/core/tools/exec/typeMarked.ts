import { textBytes } from '../../terminal/pasteBytes'
import { isCarrier } from '../../terminal/shellCarriers'
import type { Terminal } from '../../terminal/terminal'
import type { CommandRun } from './commandRun'
import { notBegun } from './execErrors'
import type { ExecuteRequest } from './execute'
import { MARK_START_MS, SILENCE_MS, TYPED_BYTES_PER_MS } from './limits'
import { type MarkedShell, markedLine } from './markedLine'
import { looksReady } from './readiness'
import { ENTER, INTERRUPT } from './typeCommand'

/** Types the command between two marks that it prints itself. */
export async function typeMarked(request: ExecuteRequest, run: CommandRun): Promise<void> {
  const { terminal, agent, command, env, signal } = request
  const { commands, log } = terminal
  const { line, start, end, isPlain } = markedLine(command, { env, shell: await shellOf(terminal) })
  const typed = isPlain
    ? textBytes(line, 'auto', { isPasteAware: terminal.screen.modes.bracketedPasteMode })
    : Buffer.from(line.replaceAll('\n', ENTER))
  const giveUp = terminal.shell.markers.expect({
    start,
    end,
    shown: Buffer.from(`${command.replaceAll('\n', '\r\n')}\r\n`),
    typedBytes: typed.length,
    started: () => commands.startInside({ actor: agent, command, cwd: null, from: log.end }),
    ended: (exitCode) => commands.endInside({ exitCode, to: log.end, wasSeen: true })
  })
  try {
    await terminal.write(Buffer.concat([typed, Buffer.from(ENTER)]), agent)
    const ms = MARK_START_MS + typed.length / TYPED_BYTES_PER_MS
    await run.wait({ until: 'running', ms, signal })
  } finally {
    giveUp()
  }
  if (run.phase === 'typed') {
    // What was typed in pieces is complete, whatever is in it: the shell is at a prompt, which nobody was shown.
    await terminal.write(Buffer.from(isPlain ? INTERRUPT : ENTER), agent)
    throw notBegun(command)
  }
  endAtPrompt(request, run)
}

async function shellOf(terminal: Terminal): Promise<MarkedShell> {
  const name = (await terminal.foreground())?.name ?? ''
  return isCarrier(name) ? 'unknown' : name === 'fish' ? 'fish' : 'posix'
}

/** A shell that is interrupted leaves out the rest of the line, or its end was missed: then its prompt is the only sign. */
function endAtPrompt({ terminal, promptPattern }: ExecuteRequest, run: CommandRun): void {
  let timer: NodeJS.Timeout | undefined
  let stopListening = (): void => undefined
  const look = async (): Promise<void> => {
    const isOver = await isAtPrompt(terminal, promptPattern)
    if (isOver && !run.isOver) terminal.shell.markers.abandon()
  }
  const lookLater = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void look().catch(() => undefined), SILENCE_MS)
  }
  const stopWaiting = terminal.shell.markers.onDoubt(() => {
    stopListening()
    stopListening = terminal.onOutput(lookLater)
    lookLater()
  })
  run.whenOver(() => {
    clearTimeout(timer)
    stopListening()
    stopWaiting()
  })
}

async function isAtPrompt(terminal: Terminal, promptPattern: string): Promise<boolean> {
  const foreground = terminal.state === 'running' ? await terminal.foreground() : undefined
  return foreground !== undefined && looksReady(terminal, foreground, promptPattern)
}
