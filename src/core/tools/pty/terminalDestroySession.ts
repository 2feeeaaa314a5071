import { z } from 'zod'
import { sessionDestroyed } from '../../workspace/terminalFinder'
import { answerSchema, answerText, withWarnings } from '../answers'
import { defineTool } from '../defineTool'

export const terminalDestroySession = defineTool({
  name: 'terminal__destroy_session',
  toolset: 'pty',
  title: 'Destroy terminal',
  description:
    'End a terminal and every process in it, and close its tab. To stop only what runs in it, send the key c with ctrl instead.',
  scope: 'kill',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    session_id: z.string(),
    force: z.boolean().default(false).describe('SIGKILL at once')
  }),
  output: answerSchema({ destroyed: z.boolean(), exit_code: z.int().nullable(), signal: z.string().nullable() }),

  async run({ session_id, force }, { workspaces, caller }) {
    await workspaces.learn(caller.access)
    if (workspaces.closed(caller.access, session_id)) throw sessionDestroyed(session_id)
    const { closed, warnings } = await workspaces.closeByHandle(caller.access, session_id, { force, wait: true })
    const exit = closed && (workspaces.closed(caller.access, closed.id) ?? closed).exit
    return withWarnings({ destroyed: true, exit_code: exit?.exitCode ?? null, signal: exit?.signal ?? null }, warnings)
  },

  text: ({ exit_code, warnings }) =>
    answerText([exit_code === null ? 'Destroyed.' : `Destroyed; its program exited with code ${exit_code}.`], warnings)
})
