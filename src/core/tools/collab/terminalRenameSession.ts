import { z } from 'zod'
import { answerSchema, answerText } from '../answers'
import { defineTool } from '../defineTool'
import { terminalHandle, workspaceInput } from './workspaceInput'

export const terminalRenameSession = defineTool({
  name: 'terminal_rename_session',
  toolset: 'collab',
  title: 'Rename terminal tab',
  description:
    'Change the label of one tab; its program, id and place stay. To change places use terminal_reorder_sessions. success is false for an unknown id.',
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    ...workspaceInput,
    id: terminalHandle,
    name: z.string().describe('New tab name; blank becomes "Terminal"')
  }),
  output: answerSchema({ success: z.boolean() }),

  async run({ project, session, id, name }, { workspaces, caller }) {
    return { success: await workspaces.rename(caller.access, { project, session }, id, name) }
  },

  text: ({ success, warnings }) =>
    answerText([success ? 'Renamed the terminal.' : 'Nothing renamed: no such terminal in this workspace.'], warnings)
})
