import { z } from 'zod'
import { type TerminalSession, terminalSessionSchema } from '../../../shared/terminal'
import { answerSchema, answerText, withWarnings } from '../answers'
import { defineTool } from '../defineTool'
import { workspaceInput } from './workspaceInput'

// Room for the warnings below the limit of 40,000 characters for one answer.
const MAX_LIST_CHARACTERS = 38_000

export const terminalListSessions = defineTool({
  name: 'terminal_list_sessions',
  toolset: 'collab',
  title: 'List terminal tabs',
  description:
    'List the tabs of one project and collab session in tab order, with id, state and program. Use it before kill, rename or reorder to get ids.',
  scope: 'read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject(workspaceInput),
  output: answerSchema({ sessions: z.array(terminalSessionSchema) }),

  async run(key, { workspaces, caller }) {
    const { sessions, warnings } = await workspaces.list(caller.access, key)
    return withWarnings({ sessions }, warnings)
  },

  text: ({ sessions, warnings }) => answerText(describe(sessions), warnings)
})

function describe(sessions: readonly TerminalSession[]): string[] {
  if (sessions.length === 0) return ['No terminals. Use terminal_create_session to open one.']
  const lines: string[] = []
  let characters = 0
  for (const session of sessions) {
    const line = describeOne(session)
    characters += line.length + 1
    if (characters > MAX_LIST_CHARACTERS) break
    lines.push(line)
  }
  const omitted = sessions.length - lines.length
  return omitted === 0 ? lines : [...lines, `${omitted} more terminals are in the structured content.`]
}

function describeOne({ order, name, state, exitCode, program, cwd, id, tmuxSession }: TerminalSession): string {
  const ended = exitCode === null ? '' : ` with code ${exitCode}`
  return `${order}. ${JSON.stringify(name)} ${state}${ended}: ${program} in ${cwd}; id ${id}, tmux session ${tmuxSession}`
}
