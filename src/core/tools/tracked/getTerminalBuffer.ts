import { z } from 'zod'
import { agentText } from '../../terminal/agentText'
import type { Terminal } from '../../terminal/terminal'
import { answerSchema } from '../answers'
import { defineTool } from '../defineTool'
import { lookingAt } from '../lookingAt'
import { codeBlock, formatted, inline, responseFormatInput, untrusted } from './responseFormat'
import { readBuffer } from './terminalBuffer'
import {
  describeHeld,
  findTerminal,
  type TrackedTerminal,
  terminalIdInput,
  trackedTerminalSchema
} from './trackedTerminal'

const MAX_SHOWN_COMMANDS = 10
/** Of all command lines together: the newest count. */
const MAX_HISTORY_CHARACTERS = 10_000

const commandSchema = z.object({
  command: z.string(),
  exit_code: z.number().nullable(),
  duration_ms: z.number().nullable()
})

export const getTerminalBuffer = defineTool({
  name: 'get_terminal_buffer',
  toolset: 'tracked',
  title: 'Read terminal buffer',
  description:
    'Read all kept output of a terminal at once, visible or not, with the commands entered in it. For the screen or only what is new use terminal__read, to find something search_terminal_buffer.',
  scope: 'read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    terminalId: terminalIdInput,
    lastN: z.int().min(1).optional().describe('Only the last N output chunks'),
    includeMetadata: z.boolean().default(false),
    asString: z.boolean().default(true).describe('false: array of chunks'),
    stripAnsi: z.boolean().default(false).describe('As it looks, without escape sequences'),
    max_chars: z.int().min(1).max(1_000_000).default(40_000).describe('The end is kept'),
    response_format: responseFormatInput
  }),
  output: answerSchema({
    output: z.union([z.string(), z.array(z.string())]),
    metadata: trackedTerminalSchema.optional(),
    inputHistory: z.array(z.string()),
    commands: z.array(commandSchema),
    omitted: z.number().describe('Characters left out at the beginning'),
    terminalId: z.string()
  }),

  async run({ terminalId, lastN, includeMetadata, asString, stripAnsi, max_chars }, context) {
    const terminal = await findTerminal(terminalId, context)
    const metadata = includeMetadata ? { metadata: await describeHeld(terminal, context) } : {}
    const request = { lastN, asString, stripAnsi, maxCharacters: max_chars }
    const read = () => readBuffer(terminal, request, context.signal)
    const { output, omitted } = await lookingAt(terminal, context, read)
    return { output, ...metadata, ...historyOf(terminal), omitted, terminalId: terminal.id }
  },

  text: (answer, args) =>
    formatted(answer, args?.response_format, ({ output, metadata, inputHistory, omitted, terminalId }) => [
      ...(metadata ? described(metadata) : []),
      untrusted(`terminal \`${terminalId}\``),
      ...(omitted > 0 ? [`_${omitted} characters before this are left out._`] : []),
      '### Output',
      ...codeBlock((typeof output === 'string' ? output : output.join('')) || '(no output)'),
      ...commandHistory(inputHistory)
    ])
})

function historyOf({ commands, entered }: Terminal) {
  return {
    inputHistory: newest(entered.map(agentText), (line) => line),
    commands: newest(
      commands.all().map(({ command, exitCode, durationMs }) => ({
        command: agentText(command),
        exit_code: exitCode,
        duration_ms: durationMs
      })),
      ({ command }) => command
    )
  }
}

function newest<T>(all: readonly T[], textOf: (one: T) => string): T[] {
  let room = MAX_HISTORY_CHARACTERS
  const kept = all.toReversed().filter((one) => {
    room -= textOf(one).length
    return room >= 0
  })
  return kept.reverse()
}

function described({ name, cwd, isRunning }: TrackedTerminal): string[] {
  return [
    `## Terminal: ${inline(name)}`,
    `- **CWD:** ${inline(cwd)}`,
    `- **Status:** ${isRunning ? '🟢 Running' : '⚫ Stopped'}`,
    ''
  ]
}

function commandHistory(inputHistory: readonly string[]): string[] {
  if (inputHistory.length === 0) return []
  const shown = inputHistory.slice(-MAX_SHOWN_COMMANDS).map((command) => `- \`${inline(command)}\``)
  return ['', '### Command History', ...shown]
}
