import { z } from 'zod'
import { AppError } from '../../../shared/errors'
import { answerSchema, answerText, withWarnings } from '../answers'
import { defineTool } from '../defineTool'

export const openNewTerminal = defineTool({
  name: 'open_new_terminal',
  toolset: 'exec',
  title: 'Open terminal for commands',
  description:
    'Open a shell in a project, as a tab that people watch too, for execute_shell, execute_python and execute_typescript. For keys and full-screen programs use terminal__create_session.',
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    shell: z.string().optional().describe("Path or name; default: the person's"),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().optional().describe('In the project; default: the project'),
    session_id: z.string().optional().describe('Collab session name; default "default"'),
    project: z.string().optional().describe('Absolute path; default: found from cwd'),
    name: z.string().optional().describe('Tab name'),
    ephemeral: z.boolean().default(false).describe('Ends with the tandem mcp process that opened it')
  }),
  output: answerSchema({ terminal_id: z.string() }),

  async run({ shell, env, cwd, session_id, project, name, ephemeral }, { workspaces, caller, idempotencyKey }) {
    if (ephemeral && caller.bridge === undefined) {
      const hint = 'Connect through `tandem mcp`, or leave it out and use close_terminal.'
      throw new AppError('INVALID_ARGUMENTS', '"ephemeral" needs a bridge that the terminal can end with', hint)
    }
    const { record, warnings } = await workspaces.createAnywhere(caller.access, {
      ...(shell === undefined ? {} : { command: [shell] as const }),
      env,
      cwd,
      callerCwd: caller.cwd,
      session: session_id,
      project,
      name,
      insideProject: true,
      openedBy: { toolset: 'exec', ...(ephemeral ? { ephemeralOf: caller.bridge } : {}) },
      idempotency: idempotencyKey === undefined ? undefined : { caller: caller.key, key: idempotencyKey }
    })
    return withWarnings({ terminal_id: record.id }, warnings)
  },

  text: ({ terminal_id, warnings }) => answerText([`Opened terminal ${terminal_id}`], warnings)
})
