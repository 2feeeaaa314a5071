import { z } from 'zod'
import { defineTool } from '../defineTool'
import { executeInput } from './execInput'
import { executeAnswer, executeCommand, executeText } from './executeTool'

export const executeShell = defineTool({
  name: 'execute_shell',
  toolset: 'exec',
  title: 'Run shell command',
  description:
    "Run a command in an open terminal's own shell and get exactly its output and exit code. cd, export and functions last. Use it rather than terminal__send or send_to_terminal, which only type.",
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({ command: z.string().min(1).describe('May have several lines'), ...executeInput }),
  output: executeAnswer,
  run: ({ command, ...args }, context) => executeCommand(command, args, context),
  text: executeText
})
