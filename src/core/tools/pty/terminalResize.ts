import { z } from 'zod'
import { answerSchema } from '../answers'
import { defineTool } from '../defineTool'
import { dimensionsSchema } from './readSchema'
import { terminalOf } from './terminalOf'

export const terminalResize = defineTool({
  name: 'terminal__resize',
  toolset: 'pty',
  title: 'Resize terminal',
  description:
    'Change the size of a terminal; its program is told and text reflows. A person who looks at it sets their own.',
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    session_id: z.string(),
    rows: z.int().min(1).max(500),
    cols: z.int().min(2).max(1000)
  }),
  output: answerSchema({ resized: z.boolean(), dimensions: dimensionsSchema }),

  async run({ session_id, rows, cols }, context) {
    const terminal = await terminalOf(context, session_id)
    await terminal.resize({ rows, cols })
    return { resized: true, dimensions: terminal.size }
  },

  text: ({ dimensions }) => `The terminal has ${dimensions.rows} rows and ${dimensions.cols} columns.`
})
