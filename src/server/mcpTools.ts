import type { ToolOutcome } from '../core/tools/callTool'
import type { Tool } from '../core/tools/defineTool'
import { jsonSchema } from './openApi'

/** A tool as `tools/list` shows it. */
export function describeTool(tool: Tool) {
  const { name, title, description, annotations } = tool
  return {
    name,
    title,
    description,
    inputSchema: { ...jsonSchema(tool.input, 'input'), type: 'object' as const },
    outputSchema: { ...jsonSchema(tool.output, 'output'), type: 'object' as const },
    annotations: { ...annotations }
  }
}

/** An outcome as `tools/call` answers it: facts twice, as data and as short text; a refusal as text alone. */
export function printResult(result: ToolOutcome) {
  if (result.ok) {
    return { content: [{ type: 'text' as const, text: result.text }], structuredContent: result.value }
  }
  const { code, message, hint } = result.error
  return {
    content: [{ type: 'text' as const, text: [`${code}: ${message}`, hint].filter(Boolean).join('\n') }],
    isError: true
  }
}
