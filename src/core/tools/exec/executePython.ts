import { z } from 'zod'
import { defineTool } from '../defineTool'
import { executeInput } from './execInput'
import { executeScript } from './executeScript'
import { executeAnswer, executeText } from './executeTool'

export const executePython = defineTool({
  name: 'execute_python',
  toolset: 'exec',
  title: 'Run Python code',
  description:
    "Run Python code as a script with the terminal's own python3, in its directory and with its variables. For anything but Python use execute_shell.",
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({ code: z.string(), ...executeInput }),
  output: executeAnswer,
  run: ({ code, ...args }, context) =>
    executeScript({ kind: 'python', extension: 'py', program: 'python3', text: code }, args, context),
  text: executeText
})
