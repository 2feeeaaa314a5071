import { z } from 'zod'
import { AppError } from '../../../shared/errors'
import type { CommandRecord, ExitStatus } from '../../../shared/terminal'
import type { LogRead, OutputLog } from '../../terminal/outputLog'
import type { Terminal } from '../../terminal/terminal'
import { quote } from '../../workspace/quote'
import { sessionDestroyed } from '../../workspace/terminalFinder'
import { answerSchema, answerText } from '../answers'
import { defineTool, type ToolContext } from '../defineTool'
import { lookedAt } from '../lookingAt'
import { type Chunk, chunksOf, unfinishedBytes } from './chunks'
import { terminalId } from './execInput'
import { endUnseen } from './readiness'
import { runningIn, runOf } from './runs'

const DEFAULT_BYTES = 40_000
const MAX_BYTES = 1_000_000

const commandSchema = z.object({
  command_id: z.string(),
  running: z.boolean(),
  exit_code: z.int().nullable(),
  duration_ms: z.number().nullable()
})
type CommandState = z.infer<typeof commandSchema>

export const readTerminalOutput = defineTool({
  name: 'read_terminal_output',
  toolset: 'exec',
  title: 'Read terminal output',
  description:
    "Read a terminal's raw output from a byte index on, nothing lost or doubled; for following an async command. For the screen as a person sees it use terminal__read.",
  scope: 'read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    terminal_id: terminalId,
    since_index: z.int().min(0).default(0).describe('next_index of the last answer'),
    max_bytes: z.int().min(4).max(MAX_BYTES).default(DEFAULT_BYTES),
    command_id: z.string().optional().describe('Also tell how this command is')
  }),
  output: answerSchema({
    chunks: z.array(z.object({ index: z.int(), data: z.string(), encoding: z.enum(['utf8', 'base64']) })),
    next_index: z.int(),
    dropped: z.int(),
    dropped_exact: z.boolean(),
    closed: z.boolean(),
    exit_code: z.int().nullable(),
    signal: z.string().optional(),
    running: z.boolean(),
    command: commandSchema.optional()
  }),

  async run({ terminal_id, since_index, max_bytes, command_id }, context) {
    const source = sourceOf(terminal_id, context)
    if (source.terminal) await endUnseen(source.terminal, context.settings().prompt_pattern)
    if (source.terminal) lookedAt(source.terminal, context)
    const command = command_id === undefined ? undefined : commandState(source, command_id)
    const { bytes, from, dropped, droppedExact } = wholeCharacters(source, source.log.read(since_index, max_bytes))
    return {
      chunks: chunksOf(bytes, from),
      next_index: from + bytes.length,
      dropped,
      dropped_exact: droppedExact,
      closed: source.closed,
      exit_code: source.exit?.exitCode ?? null,
      ...(source.exit?.signal ? { signal: source.exit.signal } : {}),
      running: source.terminal !== undefined && isRunning(source.terminal),
      ...(command ? { command } : {})
    }
  },

  text: (answer) => answerText(describe(answer))
})

interface Source {
  log: OutputLog
  commands: readonly CommandRecord[]
  exit: ExitStatus | null
  closed: boolean
  /** Absent once it was closed. */
  terminal: Terminal | undefined
}

function sourceOf(handle: string, { workspaces, caller }: ToolContext): Source {
  const closed = workspaces.closed(caller.access, handle)
  if (closed && !closed.log) throw sessionDestroyed(handle)
  if (closed?.log)
    return { log: closed.log, commands: closed.commands ?? [], exit: closed.exit, closed: true, terminal: undefined }
  const terminal = workspaces.terminal(caller.access, handle)
  const { log, commands, exit } = terminal
  return { log, commands: commands.all(), exit, closed: false, terminal }
}

function isRunning(terminal: Terminal): boolean {
  const { state, markers } = terminal.shell
  // After a host that was killed the record is there before the shell is looked at.
  const isKnown = markers.pending !== undefined || terminal.commands.current !== undefined
  const isBusy = state === 'running' || isKnown || runningIn(terminal) !== undefined
  return terminal.state === 'running' && isBusy
}

// The rest of a character that is still arriving comes with the next read.
function wholeCharacters({ log, terminal }: Source, read: LogRead): LogRead {
  const isLast = read.next === log.end && terminal?.state !== 'running'
  const cut = isLast ? 0 : unfinishedBytes(read.bytes)
  return cut === 0 || cut === read.bytes.length
    ? read
    : { ...read, bytes: read.bytes.subarray(0, read.bytes.length - cut) }
}

function commandState({ terminal, commands }: Source, id: string): CommandState {
  const run = terminal && runOf(terminal, id)
  if (run) return { command_id: id, running: !run.isOver, exit_code: run.exitCode, duration_ms: run.durationMs }
  const record = commands.find((known) => known.id === id)
  if (!record) {
    const hint = 'Use the command_id that an execute_* answer gave; the newest 200 of a terminal are known.'
    throw new AppError('INVALID_ARGUMENTS', `command_id ${quote(id)} is not known in this terminal`, hint)
  }
  const { running, exitCode, durationMs } = record
  return { command_id: id, running, exit_code: exitCode, duration_ms: durationMs }
}

interface Facts {
  chunks: Chunk[]
  next_index: number
  dropped: number
  closed: boolean
  running: boolean
  exit_code: number | null
  command?: CommandState | undefined
}

function describe({ chunks, next_index, dropped, closed, running, exit_code, command }: Facts): string[] {
  const output = chunks.map(({ data, encoding }) => (encoding === 'utf8' ? data : `[base64 ${data}]`)).join('')
  const facts = [`next_index ${next_index}`]
  if (dropped > 0) facts.push(`${dropped} bytes dropped`)
  if (closed) facts.push('closed')
  if (exit_code !== null) facts.push(`the shell ended with code ${exit_code}`)
  if (command)
    facts.push(
      `${command.command_id} ${command.running ? 'runs' : `ended with code ${command.exit_code ?? 'unknown'}`}`
    )
  else if (running) facts.push('a command runs')
  return [...(output === '' ? [] : [output]), `[${facts.join('; ')}]`]
}
