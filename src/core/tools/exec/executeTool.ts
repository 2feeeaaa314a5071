import type { z } from 'zod'
import type { Warning } from '../../../shared/errors'
import type { Terminal } from '../../terminal/terminal'
import { actorOf } from '../actorOf'
import { answerSchema, answerText, withWarnings } from '../answers'
import type { ToolContext } from '../defineTool'
import { commandText } from './commandText'
import { unusableCommand, unusableVariable } from './execErrors'
import { type ExecuteArguments, executeOutput } from './execInput'
import { type Executed, type ExecuteRequest, execute } from './execute'
import { inTurn } from './runs'
import { untype } from './typeCommand'

export const executeAnswer = answerSchema(executeOutput)
export type ExecuteAnswer = Omit<z.infer<typeof executeAnswer>, 'warnings'> & { warnings?: Warning[] }

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const REPLACED: Warning = {
  code: 'SESSION_ERROR',
  message: 'Another program took the place of the shell: whether the command succeeded is not known.'
}

/** Runs a command in a terminal and answers when it is over or the time is up; async as soon as it has begun. */
export async function executeCommand(
  command: string,
  args: ExecuteArguments,
  context: ToolContext
): Promise<ExecuteAnswer> {
  if (command.includes('\0')) throw unusableCommand('holds a NUL character')
  for (const [name, value] of Object.entries(args.env)) {
    if (!VARIABLE_NAME.test(name) || value.includes('\0')) throw unusableVariable(name)
  }
  const request = requestOf(command, args, context)
  const executed = await execute(request)
  const { run, way, deadlineMs } = executed
  if (way === 'integrated') run.whenOver(() => void inTurn(request.terminal, () => untype(request)).catch(ignore))
  const leftMs = Math.max(0, deadlineMs - performance.now())
  if (!args.async && way !== 'typed') await run.wait({ ms: leftMs, signal: request.signal })
  // Whoever is given the id of a command that runs may ask for it after a crash of the host.
  if (!run.isOver) await request.terminal.shell.keep()
  if (args.async) return { command_id: run.id ?? null, next_index: run.typedFrom }
  return withWarnings(await answerOf(executed, request), run.phase === 'replaced' ? [REPLACED] : [])
}

function requestOf(command: string, args: ExecuteArguments, context: ToolContext): ExecuteRequest {
  const { workspaces, caller, settings, signal } = context
  const terminal = workspaces.terminal(caller.access, args.terminal_id)
  return {
    terminal,
    agent: actorOf(caller),
    command,
    env: args.env,
    timeoutMs: args.timeout * 1000,
    queue: args.queue,
    maxCharacters: args.max_chars,
    promptPattern: settings().prompt_pattern,
    signal,
    script: (text, extension) =>
      workspaces.scripts.write(caller.access, terminal.id, { kind: 'shell', extension, text })
  }
}

async function answerOf({ run, way }: Executed, request: ExecuteRequest): Promise<ExecuteAnswer> {
  const { terminal, maxCharacters } = request
  const { head, from, to } = run.output
  const { text, taken, omitted } = await commandText(head, { size: terminal.size, maxCharacters })
  const running = !run.isOver
  const signal = run.phase === 'closed' ? terminal.exit?.signal : undefined
  return {
    command_id: run.id ?? null,
    next_index: omitted > 0 || head.length < to - from ? from + taken : to,
    output: run.phase === 'refused' || run.phase === 'invalid' ? withoutEcho(text, request.command) : text,
    exit_code: run.exitCode,
    ...(signal ? { signal } : {}),
    duration_ms: run.elapsedMs,
    cwd: (await directoryOf(terminal)) ?? null,
    timed_out: running && way !== 'typed',
    running,
    omitted: omitted + Math.max(0, to - from - head.length),
    closed: run.phase === 'closed',
    ...(running && (await needsPerson(terminal)) ? { needs_person: true } : {})
  }
}

/** A line that the shell refused to run has no mark between its echo and the complaint. */
function withoutEcho(text: string, command: string): string {
  const lastLine = command.trimEnd().split('\n').at(-1) ?? ''
  const at = lastLine === '' ? -1 : text.lastIndexOf(lastLine)
  return at === -1
    ? text
    : text
        .slice(at + lastLine.length)
        .replace(/^\s*\n/, '')
        .trimEnd()
}

async function directoryOf(terminal: Terminal): Promise<string | undefined> {
  return terminal.state === 'running' ? terminal.currentDirectory() : undefined
}

async function needsPerson(terminal: Terminal): Promise<boolean> {
  return terminal.state === 'running' && terminal.needsPerson()
}

function ignore(): void {
  // What could not be undone now is undone before the next command.
}

/** The same facts for models: the output, then a line about it. */
export function executeText(answer: ExecuteAnswer): string {
  const { output, command_id, next_index, warnings } = answer
  if (output === undefined) return answerText([`Started ${command_id}; read on from index ${next_index}`], warnings)
  const facts = [describeEnd(answer), answer.cwd ? `cwd ${answer.cwd}` : '']
  if (answer.omitted) facts.push(`${answer.omitted} characters omitted, read on from index ${next_index}`)
  if (answer.needs_person) facts.push('it waits for something that only the person may type')
  return answerText([...(output === '' ? [] : [output]), `[${facts.filter(Boolean).join('; ')}]`], warnings)
}

function describeEnd({
  running,
  timed_out,
  closed,
  exit_code,
  signal,
  duration_ms,
  command_id
}: ExecuteAnswer): string {
  if (running) return `${timed_out ? 'timed out, ' : ''}still running${command_id ? ` as ${command_id}` : ''}`
  const how = signal ? `killed by ${signal}` : `exit code ${exit_code ?? 'unknown'}`
  return `${closed ? 'the shell ended, ' : ''}${how} after ${duration_ms} ms`
}
