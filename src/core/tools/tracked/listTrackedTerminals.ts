import { z } from 'zod'
import { answerSchema } from '../answers'
import { defineTool } from '../defineTool'
import { formatted, inline, responseFormatInput } from './responseFormat'
import { describeTerminal, type TrackedTerminal, trackedTerminalSchema } from './trackedTerminal'

// Room for the warnings below the limit of 40,000 characters for one answer.
const MAX_LIST_CHARACTERS = 38_000

export const listTrackedTerminals = defineTool({
  name: 'list_tracked_terminals',
  toolset: 'tracked',
  title: 'List tracked terminals',
  description:
    'List every terminal you may see in all workspaces, whoever opened it, with program, directory and state. For one collab session use terminal_list_sessions.',
  scope: 'read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    runningOnly: z.boolean().default(false),
    response_format: responseFormatInput
  }),
  output: answerSchema({ terminals: z.array(trackedTerminalSchema) }),

  async run({ runningOnly }, { workspaces, caller }) {
    const terminals = (await workspaces.listAll(caller.access)).map(describeTerminal)
    return { terminals: runningOnly ? terminals.filter(({ isRunning }) => isRunning) : terminals }
  },

  text: (answer, args) =>
    formatted(answer, args?.response_format, ({ terminals }) => ['## Tracked Terminals', '', ...listed(terminals)])
})

function listed(terminals: readonly TrackedTerminal[]): string[] {
  if (terminals.length === 0) return ['_No tracked terminals. Use create_tracked_terminal to create one._']
  const lines: string[] = []
  let characters = 0
  for (const [index, terminal] of terminals.entries()) {
    const part = described(terminal)
    characters += part.join('\n').length + 1
    if (characters > MAX_LIST_CHARACTERS) {
      return [...lines, `_${terminals.length - index} more terminals are in the structured content._`]
    }
    lines.push(...part)
  }
  return lines
}

function described({ id, name, shellPath, cwd, pid, isRunning, exitCode }: TrackedTerminal): string[] {
  return [
    `### ${isRunning ? '🟢' : '⚫'} ${inline(name)}`,
    `- **ID:** \`${id}\``,
    `- **Shell:** ${inline(shellPath)}`,
    `- **CWD:** ${inline(cwd)}`,
    ...(pid === null ? [] : [`- **PID:** ${pid}`]),
    ...(isRunning || exitCode === null ? [] : [`- **Exit Code:** ${exitCode}`]),
    ''
  ]
}
