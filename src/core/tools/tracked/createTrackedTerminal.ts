import { z } from 'zod'
import { answerSchema, withWarnings } from '../answers'
import { defineTool } from '../defineTool'
import { formatted, inline, responseFormatInput } from './responseFormat'

export const createTrackedTerminal = defineTool({
  name: 'create_tracked_terminal',
  toolset: 'tracked',
  title: 'Create tracked terminal',
  description:
    'Open a terminal whose output stays readable with get_terminal_buffer, on screen or not. To run commands and get their exit codes use open_new_terminal.',
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    name: z.string().optional(),
    shellPath: z.string().optional().describe('Executable; default the user’s shell'),
    cwd: z.string().optional().describe('Default the project directory'),
    response_format: responseFormatInput
  }),
  output: answerSchema({
    terminalId: z.string(),
    name: z.string(),
    project: z.string(),
    session: z.string(),
    tmuxSession: z.string()
  }),

  async run({ name, shellPath, cwd }, { workspaces, caller, idempotencyKey }) {
    const { record, place, warnings } = await workspaces.createAnywhere(caller.access, {
      name,
      cwd,
      command: shellPath === undefined ? undefined : [shellPath],
      callerCwd: caller.cwd,
      openedBy: { toolset: 'tracked' },
      idempotency: idempotencyKey === undefined ? undefined : { caller: caller.key, key: idempotencyKey }
    })
    const { project, session } = place
    const made = { terminalId: record.id, name: record.name, project, session, tmuxSession: record.tmuxSession }
    return withWarnings(made, warnings)
  },

  text: (answer, args) =>
    formatted(answer, args?.response_format, ({ terminalId, name }) => [
      `✅ Created tracked terminal: **${inline(name)}**`,
      '',
      `Terminal ID: \`${terminalId}\``,
      '',
      'Use `get_terminal_buffer` to read output, or `send_to_terminal` to send commands.'
    ])
})
