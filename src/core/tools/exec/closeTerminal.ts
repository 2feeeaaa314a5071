import { z } from 'zod'
import { AppError } from '../../../shared/errors'
import { answerSchema, answerText, withWarnings } from '../answers'
import { defineTool } from '../defineTool'

export const closeTerminal = defineTool({
  name: 'close_terminal',
  toolset: 'exec',
  sharedWith: ['tracked'],
  title: 'Close terminal',
  description:
    'Close a terminal and end every process in it. To stop only the running command send Ctrl+C with terminal__send.',
  scope: 'kill',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    terminal_id: z.string().optional(),
    terminalId: z.string().optional().describe('The same, as tracked terminals spell it')
  }),
  output: answerSchema({ closed: z.literal(true) }),

  async run({ terminal_id, terminalId }, { workspaces, caller }) {
    const handle = terminal_id ?? terminalId
    if (handle === undefined || (terminal_id !== undefined && terminalId !== undefined)) {
      const hint = 'Give one of them: the id that a list of terminals shows.'
      throw new AppError('INVALID_ARGUMENTS', 'Either "terminal_id" or "terminalId" is needed, not both', hint)
    }
    const { warnings } = await workspaces.closeByHandle(caller.access, handle)
    return withWarnings({ closed: true as const }, warnings)
  },

  text: ({ warnings }) => answerText(['Closed the terminal.'], warnings)
})
