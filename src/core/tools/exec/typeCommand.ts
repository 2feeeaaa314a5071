import type { ShellInput } from '../../terminal/shellInput'
import type { Terminal } from '../../terminal/terminal'
import type { CommandRun } from './commandRun'
import { execIncomplete, noStart } from './execErrors'
import type { ExecuteRequest } from './execute'
import { MAX_TYPED_CHARACTERS, START_MS } from './limits'
import { loadScript, unloadScript } from './loadScript'
import { quoted } from './quoted'
import { clearLine, complaintEnd, shellChange, silence } from './refusedLine'

/** Our key in the shells that we set up: it puts the line that lies ready where a typed one would be. */
const LOAD_KEY = '\x1e'
export const ENTER = '\r'
export const INTERRUPT = '\x03'

/** Has the shell take the command as if it had been typed, then presses Enter. */
export async function typeIntegrated(request: ExecuteRequest, run: CommandRun): Promise<void> {
  const { terminal, agent, env, command, signal } = request
  const input = inputOf(terminal)
  const text = await lineFor(request, input)
  input.put(loadScript(input.kind, { text, env }))
  terminal.commands.expect(command)
  await terminal.write(Buffer.from(`${LOAD_KEY}${ENTER}`), agent)
  await run.wait({ until: 'running', ms: START_MS, signal })
  terminal.commands.expect(undefined)
  if (run.phase === 'typed') {
    // Nothing of it begins behind the back of whoever was told that it did not.
    await terminal.write(Buffer.from(INTERRUPT), agent)
    throw noStart(command)
  }
  run.cut(run.phase === 'invalid' ? await complaintEnd(terminal, signal) : terminal.log.end)
  if (run.phase === 'invalid' || run.phase === 'incomplete') await cancelled(request)
  if (run.phase === 'incomplete') throw execIncomplete(command)
}

/** Throws away what stands in the line editor, and waits until the shell is at a prompt again. */
async function cancelled(request: ExecuteRequest): Promise<void> {
  const { terminal, agent, signal } = request
  const input = inputOf(terminal)
  // It says nothing about the prompt that it draws then.
  if (input.kind === 'fish') return clearLine(request, { input, key: LOAD_KEY })
  const isReached = () => terminal.shell.state === 'prompt'
  const prompted = shellChange(terminal, { ms: START_MS, signal, isReached })
  await terminal.write(Buffer.from(INTERRUPT), agent)
  await prompted
}

/** What was put ready is gone once it was read; what held for several lines of bash ends now. */
export async function untype({ terminal, agent, command, env }: ExecuteRequest): Promise<void> {
  const input = inputOf(terminal)
  const isHeld = command.includes('!') || Object.keys(env).length > 0
  const isPending = input.kind === 'bash' && command.includes('\n') && isHeld
  if (!isPending || terminal.shell.state !== 'prompt') return input.clear()
  input.put(unloadScript(input.kind))
  await terminal.write(Buffer.from(LOAD_KEY), agent)
}

// Line editors draw a very long line for minutes; a shell reads a file of any length at once.
async function lineFor({ command, script }: ExecuteRequest, { kind }: ShellInput): Promise<string> {
  // A space behind a backslash is a part of the command.
  const text = command.replace(/(?<!\\)\s+$/, '')
  if (text.length <= MAX_TYPED_CHARACTERS) return text
  return `${kind === 'fish' ? 'source' : '.'} ${quoted(await script(`${text}\n`, 'sh'))}`
}

// Only a shell of these tells about itself.
function inputOf({ shell }: Terminal): ShellInput {
  if (!shell.input) throw new Error('A shell that was set up has no way in')
  return shell.input
}

/** Types the command into a program that tells nothing about itself, and listens until it is silent. */
export async function typePlain({ terminal, agent, command, signal }: ExecuteRequest): Promise<void> {
  await terminal.write(Buffer.from(`${command}${ENTER}`), agent)
  await silence(terminal, signal)
}
