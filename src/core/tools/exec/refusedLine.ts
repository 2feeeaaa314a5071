import type { Agent, Size } from '../../../shared/terminal'
import type { ShellInput } from '../../terminal/shellInput'
import type { Terminal } from '../../terminal/terminal'
import { type CommandText, commandText } from './commandText'
import { SILENCE_MS, START_MS } from './limits'
import { unloadScript } from './loadScript'

/** A line editor lets go of the terminal with it, after the line and before anything that the shell says about it. */
const EDITING_ENDS = '\x1b[?2004l'

export interface RefusedLine {
  command: string
  size: Size
  maxCharacters: number
  /** The prompt stands behind it. */
  promptRows: number
}

/** What a shell said about a line that it did not run: no mark stands between the line as it was shown and that. */
export async function complaintText(bytes: Buffer, refused: RefusedLine): Promise<CommandText> {
  const { command, promptRows, ...limits } = refused
  const ends = bytes.lastIndexOf(EDITING_ENDS)
  const from = ends === -1 ? 0 : ends + EDITING_ENDS.length
  const { text, taken, omitted } = await commandText(bytes.subarray(from), limits)
  const rows = (ends === -1 ? withoutEcho(text, command) : text).split('\n')
  const complaint = rows.slice(0, rows.length - promptRows).join('\n')
  return { text: complaint.replace(/^\n+/, '').trimEnd(), taken: from + taken, omitted }
}

/** Each row of the line as it was shown ends with one of the command; before the first stands the prompt. */
function withoutEcho(text: string, command: string): string {
  const rows = text.split('\n')
  let next = 0
  for (const line of command.trimEnd().split('\n')) {
    const at = rows.findIndex((row, index) => index >= next && row.trimEnd().endsWith(line.trimEnd()))
    if (at === -1) return text
    next = at + 1
  }
  return rows.slice(next).join('\n')
}

/**
 * Waits until fish has complained about a line, which it then shows again, and returns where in the log that ends. With a
 * prompt that is no longer ours it is silence that tells.
 */
export async function complaintEnd(terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { shell, log } = terminal
  const stopped = new AbortController()
  const isReached = () => shell.redrawnAt !== undefined
  const drawn = shellChange(terminal, { ms: START_MS, signal: stopped.signal, isReached })
  if (!isReached()) await Promise.race([drawn, silence(terminal, AbortSignal.any([signal, stopped.signal]))])
  stopped.abort()
  return shell.redrawnAt ?? log.end
}

/** Has fish throw away what stands in its line editor; an interrupt would overtake what is typed after it. */
export async function clearLine(
  { terminal, agent, signal }: { terminal: Terminal; agent: Agent; signal: AbortSignal },
  { input, key }: { input: ShellInput; key: string }
): Promise<void> {
  await input.put(`${unloadScript(input.kind)}__tandem_clear\n`)
  const cleared = new Promise<void>((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(finish, START_MS)
    const stop = terminal.shell.onUnrun(finish)
    signal.addEventListener('abort', finish, { once: true })
  })
  await terminal.write(Buffer.from(key), agent)
  await cleared
}

interface ShellWait {
  ms: number
  signal: AbortSignal
  isReached(): boolean
}

/** Resolves when the shell has said something by which it is reached, or the time is up. */
export function shellChange(terminal: Terminal, { ms, signal, isReached }: ShellWait): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      stop()
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    const stop = terminal.shell.onChange(() => {
      if (isReached()) finish()
    })
    signal.addEventListener('abort', finish)
  })
}

/** Resolves when nothing was printed for a while. */
export async function silence(terminal: Terminal, signal: AbortSignal): Promise<void> {
  let end = -1
  while (end !== terminal.log.end && !signal.aborted) {
    end = terminal.log.end
    await new Promise((resolve) => setTimeout(resolve, SILENCE_MS))
  }
}
