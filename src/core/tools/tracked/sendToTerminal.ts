import { z } from 'zod'
import { AppError } from '../../../shared/errors'
import { agentText } from '../../terminal/agentText'
import { actorOf } from '../actorOf'
import { answerSchema } from '../answers'
import { defineTool } from '../defineTool'
import { codeBlock, formatted, responseFormatInput } from './responseFormat'
import { findTerminal, terminalIdInput } from './trackedTerminal'

const MAX_REPEATED_CHARACTERS = 30_000

export const sendToTerminal = defineTool({
  name: 'send_to_terminal',
  toolset: 'tracked',
  title: 'Send to terminal',
  description:
    'Type text into a terminal and, by default, press Enter; does not wait. For output and exit code use execute_shell, for keys terminal__send.',
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    terminalId: terminalIdInput,
    text: z.string(),
    addNewline: z.boolean().default(true).describe('Press Enter after it'),
    response_format: responseFormatInput
  }),
  output: answerSchema({
    success: z.literal(true),
    terminalId: z.string(),
    text: z.string(),
    omitted: z.number().optional()
  }),

  async run({ terminalId, text, addNewline }, context) {
    const terminal = await findTerminal(terminalId, context)
    const keys = addNewline ? `${text}\r` : text
    if (keys === '') throw new AppError('NO_INPUT', 'No input provided (need text)', 'Send text, or addNewline: true.')
    await terminal.write(Buffer.from(keys), actorOf(context.caller))
    const omitted = text.length - MAX_REPEATED_CHARACTERS
    const sent = { success: true as const, terminalId: terminal.id }
    return omitted > 0 ? { ...sent, text: text.slice(0, MAX_REPEATED_CHARACTERS), omitted } : { ...sent, text }
  },

  text: (answer, args) =>
    formatted(answer, args?.response_format, ({ terminalId, text }) => [
      `✅ Sent to terminal \`${terminalId}\`:`,
      ...codeBlock(agentText(text))
    ])
})
