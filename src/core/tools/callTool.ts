import { AppError, type WireError } from '../../shared/errors'
import type { Audit } from '../data/audit'
import type { Logger } from '../log'
import { auditCall } from './auditCall'
import type { Tool, ToolContext } from './defineTool'
import { describeIssues } from './describeIssues'

/** What came of a call: facts and the same facts as text, or a refusal. */
export type ToolOutcome = { ok: true; value: Record<string, unknown>; text: string } | { ok: false; error: WireError }

/** The single door to every tool: MCP, HTTP and the window differ only in how they print this result. */
export async function callTool(
  tool: Tool,
  rawArguments: unknown,
  { context, log, audit }: { context: ToolContext; log: Logger; audit?: Audit | undefined }
): Promise<ToolOutcome> {
  const finish = audit && auditCall(tool, rawArguments, { context, audit })
  const result = await attempt(tool, rawArguments, { context, log })
  finish?.(result)
  return result
}

async function attempt(
  tool: Tool,
  rawArguments: unknown,
  { context, log }: { context: ToolContext; log: Logger }
): Promise<ToolOutcome> {
  try {
    requireScope(tool, context)
    const parsed = tool.input.safeParse(rawArguments, { reportInput: true })
    if (!parsed.success) throw describeIssues(parsed.error, tool.input)
    const value = await tool.run(parsed.data, context)
    return { ok: true, value, text: tool.text?.(value, parsed.data) ?? JSON.stringify(value) }
  } catch (thrown) {
    const error = AppError.from(thrown)
    if (error.code === 'INTERNAL') log.error({ err: thrown, tool: tool.name }, 'tool failed')
    return { ok: false, error: error.toWire() }
  }
}

function requireScope(tool: Tool, { caller }: ToolContext): void {
  if (caller.access.scopes.includes(tool.scope)) return
  throw new AppError(
    'UNAUTHORIZED',
    `Token "${caller.access.name}" may not ${tool.scope}`,
    `It has: ${caller.access.scopes.join(', ') || 'nothing'}. Use a token with the scope "${tool.scope}".`
  )
}
