import type { IncomingHttpHeaders } from 'node:http'
import { isIn, TOOLSETS, type Tool, type Toolset } from '../core/tools/defineTool'
import { Refusal } from './refusal'

/** What the address of an MCP endpoint asks for. */
export interface McpPath {
  toolsets: readonly Toolset[]
  readOnly: boolean
}

/** The toolsets named in `/mcp/x/<toolset[,toolset]>`; undefined when one of them does not exist. */
export function toolsetsIn(list: string): Toolset[] | undefined {
  const names = list.split(',').map((name) => name.trim())
  const known = TOOLSETS.filter((toolset) => names.includes(toolset))
  return new Set(names).size === known.length ? known : undefined
}

/** The tools one request sees, in the registry's order: path and headers can only narrow, and read-only always wins. */
export function selectTools<T extends Pick<Tool, 'toolset' | 'sharedWith' | 'annotations'>>(
  tools: readonly T[],
  path: McpPath,
  headers: IncomingHttpHeaders
): T[] {
  const asked = headerOf(headers, 'x-mcp-toolsets')
  const fromHeader = asked === undefined ? TOOLSETS : toolsetsIn(asked)
  if (!fromHeader) {
    throw new Refusal('INVALID_ARGUMENTS', `X-MCP-Toolsets names an unknown toolset: "${asked?.slice(0, 100)}"`, {
      hint: `There are: ${TOOLSETS.join(', ')}.`
    })
  }
  const readOnly = path.readOnly || isReadOnly(headerOf(headers, 'x-mcp-readonly'))
  return tools.filter(
    (tool) => isIn(tool, path.toolsets) && isIn(tool, fromHeader) && (!readOnly || tool.annotations.readOnlyHint)
  )
}

function isReadOnly(value: string | undefined): boolean {
  const text = value?.trim().toLowerCase() ?? 'false'
  if (['true', '1'].includes(text)) return true
  if (['false', '0', ''].includes(text)) return false
  throw new Refusal('INVALID_ARGUMENTS', `X-MCP-Readonly is "${text.slice(0, 100)}"`, { hint: 'Use true or false.' })
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(',') : value
}
