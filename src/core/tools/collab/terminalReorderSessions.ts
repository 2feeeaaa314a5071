import { z } from 'zod'
import { answerSchema, answerText } from '../answers'
import { defineTool } from '../defineTool'
import { workspaceInput } from './workspaceInput'

export const terminalReorderSessions = defineTool({
  name: 'terminal_reorder_sessions',
  toolset: 'collab',
  title: 'Reorder terminal tabs',
  description:
    'Put all tabs of a workspace in a new order. Takes every id exactly once, as terminal_list_sessions shows them; labels stay.',
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    ...workspaceInput,
    orderedIds: z.array(z.string()).describe('Every terminal id of the workspace, in the new order')
  }),
  output: answerSchema({ success: z.boolean() }),

  async run({ project, session, orderedIds }, { workspaces, caller }) {
    await workspaces.reorder(caller.access, { project, session }, orderedIds)
    return { success: true }
  },

  text: ({ warnings }) => answerText(['Reordered the terminals.'], warnings)
})
