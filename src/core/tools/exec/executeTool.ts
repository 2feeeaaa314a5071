import type { z } from 'zod'
import type { Warning } from '../../../shared/errors'
import type { Terminal } from '../../terminal/terminal'
import { actorOf } from '../actorOf'
import { answerSchema, answerText, withWarnings } from '../answers'
import type { ToolContext } from '../defineTool'
import type { CommandRun } from './commandRun'
import { type CommandText, commandText } from './commandText'
import { blankCommand, unusableCommand, unusableVariable } from './execErrors'
import { type ExecuteArguments, executeOutput } from './execInput'
import { type Executed, type ExecuteRequest, execute } from './execute'
import { complaintText } from './refusedLine'
import { inTurn } from './runs'
import { untype } from './typeCommand'

export const executeAnswer = answerSchema(executeOutput)
export type ExecuteAnswer = Omit<z.infer<typeof executeAnswer>, 'warnings'> & { warnings?: Warning[] }

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const REPLACED: Warning = {
  code: 'SESSION_ERROR',
  message: 'Another program took the place of the shell: whether the command succeeded is not known.'
}
const NOTHING_RAN: Warning = {
  code: 'SESSION_ERROR',
  message: 'The shell told of no command in this line and printed nothing: whether anything ran is not known.'
}
const END_UNKNOWN: Warning = {
  code: 'SESSION_ERROR',
  message: 'The command was interrupted, or it ended the shell that it ran in: its exit code is not known.'
}

/** Runs a command in a terminal and answers when it is over or the time is up; async as soon as it has begun. */
export async function executeCommand(
  command: string,
  args: ExecuteArguments,
  context: ToolContext
): Promise<ExecuteAnswer> {
  if (command.trim() === '') throw blankCommand()
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
  const answer = await answerOf(executed, request)
  return withWarnings(answer, warningsOf(executed, answer))
}

function warningsOf({ run, way }: Executed, answer: ExecuteAnswer): Warning[] {
  if (run.phase === 'replaced') return [REPLACED]
  if (isSilent(run, answer.output ?? '')) return [NOTHING_RAN]
  return way === 'marked' && run.phase === 'done' && answer.exit_code === null ? [END_UNKNOWN] : []
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
  const { terminal } = request
  const { head, from, to } = run.output
  const { text, taken, omitted } = await textOf(run, head, request)
  const running = !run.isOver
  const signal = run.phase === 'closed' ? terminal.exit?.signal : undefined
  return {
    command_id: run.id ?? null,
    next_index: omitted > 0 || head.length < to - from ? from + taken : to,
    output: text,
    exit_code: isSilent(run, text) ? null : run.exitCode,
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

/** A line that failed without a word, such as a comment, was no command: the code is that of the one before. */
function isSilent({ phase, exitCode }: CommandRun, output: string): boolean {
  return phase === 'refused' && output === '' && exitCode !== 0
}

function textOf({ phase }: CommandRun, head: Buffer, request: ExecuteRequest): Promise<CommandText> {
  const { command, maxCharacters, terminal } = request
  const limits = { size: terminal.size, maxCharacters }
  if (phase !== 'refused' && phase !== 'invalid') return commandText(head, limits)
  const promptRows = phase === 'invalid' ? terminal.shell.promptRows : 0
  return complaintText(head, { command, promptRows, ...limits })
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
