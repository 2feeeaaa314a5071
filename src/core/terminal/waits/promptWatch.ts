import { patterns } from '../patterns'
import type { Terminal } from '../terminal'
import type { InputMoment } from './waitFor'
import type { Watching } from './watching'

/** What was typed ahead begins as soon as the prompt is there; a prompt that stays this long has nothing to do. */
const STAYS_MS = 150
/** A guess needs a moment of silence: the end of what was printed so far is seldom the end. */
const QUIET_MS = 100

export type PromptSource = 'shell' | 'pattern'

/** Holds when the shell waits for a command: said by the shell itself, else guessed. */
export function watchPrompt(
  watching: Watching,
  { after, promptPattern }: { after?: InputMoment | undefined; promptPattern: string }
): void {
  watchShell(watching, after)
  watchGuess(watching, { after, promptPattern })
}

function watchShell({ terminal, fire, onClose }: Watching, after: InputMoment | undefined): void {
  const { shell } = terminal
  let staying: NodeJS.Timeout | undefined
  const look = () => {
    clearTimeout(staying)
    if (shell.state !== 'prompt' || (after && shell.prompts <= after.prompts)) return
    if (!after || (after.isOneCommand && shell.runs > after.runs)) fire('prompt')
    else staying = setTimeout(() => fire('prompt'), STAYS_MS)
  }
  onClose(shell.onChange(look))
  onClose(() => clearTimeout(staying))
  look()
}

function watchGuess(
  { terminal, fire, fail, onClose }: Watching,
  { after, promptPattern }: { after?: InputMoment | undefined; promptPattern: string }
): void {
  let isClosed = false
  let lastOffset = terminal.log.end
  const look = async () => {
    if (tellsOfItself(terminal) || (after && terminal.log.end <= after.offset)) return
    lastOffset = terminal.log.end
    const isPrompt = await guessPrompt(terminal, promptPattern)
    if (isPrompt && !isClosed && terminal.log.end === lastOffset) fire('prompt')
  }
  const quiet = setTimeout(() => void look().catch(fail), QUIET_MS)
  onClose(terminal.onOutput(() => quiet.refresh()))
  onClose(() => {
    isClosed = true
    clearTimeout(quiet)
  })
}

/** Whether the terminal waits for a command now, and who says so. */
export async function promptNow(terminal: Terminal, promptPattern: string): Promise<PromptSource | undefined> {
  if (terminal.state !== 'running') return undefined
  if (tellsOfItself(terminal)) return terminal.shell.state === 'prompt' ? 'shell' : undefined
  return (await guessPrompt(terminal, promptPattern)) ? 'pattern' : undefined
}

/** A shell that was asked to tell of itself and has not done so once is like any other. */
function tellsOfItself({ shell }: Terminal): boolean {
  return shell.isIntegrated && shell.prompts > 0
}

/** What a program prints is no prompt, whatever it looks like: only the terminal's own program is believed. */
async function guessPrompt(terminal: Terminal, promptPattern: string): Promise<boolean> {
  const line = await terminal.screen.inspect(({ buffer, cursor }) =>
    buffer.active.getLine(buffer.active.baseY + cursor.row)?.translateToString(true)
  )
  if (!line || !(await patterns.find(promptPattern, line))) return false
  return (await terminal.foreground())?.isOwnProgram === true
}
