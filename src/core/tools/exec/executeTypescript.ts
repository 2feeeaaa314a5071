import { z } from 'zod'
import { defineTool } from '../defineTool'
import { executeInput } from './execInput'
import { executeScript } from './executeScript'
import { executeAnswer, executeText } from './executeTool'
import { transpile } from './transpile'

export const executeTypescript = defineTool({
  name: 'execute_typescript',
  toolset: 'exec',
  title: 'Run TypeScript code',
  description:
    "Run TypeScript or JavaScript as a module with the terminal's own node (20 or newer); types are removed, not checked. For other languages use execute_shell.",
  scope: 'type',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({ code: z.string(), ...executeInput }),
  output: executeAnswer,

  async run({ code, ...args }, context) {
    const text = await transpile(code)
    return executeScript({ kind: 'typescript', extension: 'mjs', program: 'node', text }, args, context)
  },

  text: executeText
})
