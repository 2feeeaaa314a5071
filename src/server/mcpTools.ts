import type { Tool } from '../core/tools/defineTool'
import type { Result } from '../shared/errors'
import { jsonSchema } from './openApi'

export type ToolResult = Result<Record<string, unknown>>

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
export function printResult(tool: Tool, result: ToolResult) {
  if (result.ok) {
    const text = tool.text?.(result.value) ?? JSON.stringify(result.value)
    return { content: [{ type: 'text' as const, text }], structuredContent: result.value }
  }
  const { code, message, hint } = result.error
  return {
    content: [{ type: 'text' as const, text: [`${code}: ${message}`, hint].filter(Boolean).join('\n') }],
    isError: true
  }
}
