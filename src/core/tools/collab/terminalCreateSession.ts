import { z } from 'zod'
import { answerSchema, answerText, withWarnings } from '../answers'
import { defineTool } from '../defineTool'
import { workspaceInput } from './workspaceInput'

export const terminalCreateSession = defineTool({
  name: 'terminal_create_session',
  toolset: 'collab',
  title: 'Create terminal tab',
  description:
    'Open a new shell as a tab of a project and collab session that people watch too. Use it to start one; to find tabs that are already open use terminal_list_sessions.',
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    ...workspaceInput,
    name: z.string().optional().describe('Tab name; default "Terminal N"')
  }),
  output: answerSchema({
    id: z.string().describe('Terminal UUID'),
    tmuxSession: z.string(),
    wsUrl: z.string().describe('ttyd WebSocket address')
  }),

  async run({ project, session, name }, { workspaces, caller, wsUrl, idempotencyKey }) {
    const idempotency = idempotencyKey === undefined ? undefined : { caller: caller.key, key: idempotencyKey }
    const { record, warnings } = await workspaces.create(caller.access, { project, session, name, idempotency })
    const { id, tmuxSession } = record
    return withWarnings({ id, tmuxSession, wsUrl: wsUrl(tmuxSession) }, warnings)
  },

  text: ({ id, tmuxSession, wsUrl, warnings }) =>
    answerText([`Created terminal ${id} (tmux session ${tmuxSession}), ${wsUrl}`], warnings)
})
