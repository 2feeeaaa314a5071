import { z } from 'zod'
import { answerSchema, withWarnings } from '../answers'
import { defineTool } from '../defineTool'
import { lookingAt } from '../lookingAt'
import { readInput, readOutput } from './readSchema'
import { readTerminal } from './readTerminal'
import { readText } from './readText'
import { terminalOf } from './terminalOf'

export const terminalRead = defineTool({
  name: 'terminal__read',
  toolset: 'pty',
  title: 'Read terminal',
  description:
    'Read any terminal, and optionally wait first. view "screen" for full-screen programs (vim, htop, menus), "new" for output since your last read, "scrollback" for history. To type and read in one call use terminal__send with read; to run one shell command and get its exit code use execute_shell.',
  scope: 'read',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ session_id: z.string(), ...readInput }),
  output: answerSchema(readOutput),

  async run({ session_id, ...args }, context) {
    const terminal = await terminalOf(context, session_id)
    return withWarnings(await lookingAt(terminal, context, () => readTerminal(terminal, args, { context })), [])
  },

  text: (answer) => readText(answer)
})
