import { z } from 'zod'
import { answerSchema, answerText, withWarnings } from '../answers'
import { defineTool } from '../defineTool'
import { terminalHandle, workspaceInput } from './workspaceInput'

export const terminalKillSession = defineTool({
  name: 'terminal_kill_session',
  toolset: 'collab',
  title: 'Kill terminal tab',
  description:
    'End a tab and every process in it, for good. To keep it running under another label use terminal_rename_session. success is false for an unknown id.',
  scope: 'kill',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ ...workspaceInput, id: terminalHandle }),
  output: answerSchema({ success: z.boolean() }),

  async run({ project, session, id }, { workspaces, caller }) {
    const { success, warnings } = await workspaces.kill(caller.access, { project, session }, id)
    return withWarnings({ success }, warnings)
  },

  text: ({ success, warnings }) =>
    answerText([success ? 'Killed the terminal.' : 'Nothing killed: no such terminal in this workspace.'], warnings)
})
