import { z } from 'zod'
import { answerSchema } from '../answers'
import { defineTool } from '../defineTool'
import { type DescribedTerminal, describeTerminal, terminalFields } from './describeTerminal'

export const terminalListAllSessions = defineTool({
  name: 'terminal__list_sessions',
  toolset: 'pty',
  title: 'List terminals',
  description:
    'List every terminal you may see, whoever opened it, with the session_id that terminal__ tools take. For the tabs of one workspace in tab order use terminal_list_sessions.',
  scope: 'read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: answerSchema({ sessions: z.array(z.object(terminalFields)), count: z.int() }),

  async run(_, context) {
    const listed = await context.workspaces.listAll(context.caller.access)
    const sessions = await Promise.all(listed.map((terminal) => describeTerminal(terminal, context)))
    return { sessions, count: sessions.length }
  },

  text: ({ sessions }) =>
    sessions.length === 0
      ? 'No terminals. Use terminal__create_session to open one.'
      : sessions.map(describeOne).join('\n')
})

function describeOne({
  session_id,
  name,
  program,
  args,
  exited,
  exit_code,
  signal,
  ...rest
}: DescribedTerminal): string {
  const state = exited ? `exited (${signal ?? exit_code ?? 'unknown'})` : 'running'
  const { rows, cols } = rest.dimensions
  return `${session_id} ${JSON.stringify(name)} ${state}: ${[program, ...args].join(' ')}, ${rows}x${cols}, in ${rest.project} (${rest.session})`
}
