import type { Result } from '../../shared/errors'
import { type Audit, outcomeOf } from '../data/audit'
import type { Tool, ToolContext } from './defineTool'

/** The tool whose argument is a terminal's new name. */
const RENAMING = 'terminal_rename_session'
/** Words of the audit trail for tools that do what a window can do too; any other tool goes by its name. */
const ACTIONS: Readonly<Record<string, string>> = {
  terminal_create_session: 'create',
  [RENAMING]: 'rename',
  terminal_reorder_sessions: 'reorder',
  terminal_kill_session: 'kill'
}
/** How the toolsets spell a terminal's handle. */
const HANDLE_FIELDS = ['id', 'terminal_id', 'terminalId', 'session_id']

type Outcome = Result<Record<string, unknown>>

/**
 * Looks before the call, because a killed terminal has no name afterwards, and returns what records the outcome. Only
 * names and places are taken from the arguments: never what was typed. Calls that only read leave no trace.
 */
export function auditCall(
  tool: Tool,
  rawArguments: unknown,
  { context, audit }: { context: ToolContext; audit: Audit }
): ((result: Outcome) => void) | undefined {
  if (tool.annotations.readOnlyHint) return undefined
  const { access, clientName } = context.caller
  const given = fieldsOf(rawArguments)
  const before = placeOf(given, context)
  return (result) => {
    const place = before ?? (result.ok ? placeOf(result.value, context) : undefined)
    const key = place ?? { project: textOf(given.project), session: textOf(given.session) }
    audit.record({
      actor: { token: access.name, client: clientName },
      action: ACTIONS[tool.name] ?? tool.name,
      ...(place ? { terminal: { id: place.id, name: place.name } } : {}),
      ...(key.project === undefined ? {} : { project: key.project }),
      ...(key.session === undefined ? {} : { session: key.session }),
      ...(tool.name === RENAMING && typeof given.name === 'string' ? { to: given.name } : {}),
      outcome: result.ok ? outcomeOf(result.value) : result.error.code
    })
  }
}

function placeOf(fields: Readonly<Record<string, unknown>>, { workspaces }: ToolContext) {
  const handle = HANDLE_FIELDS.map((field) => fields[field]).find((value) => typeof value === 'string')
  return typeof handle === 'string' ? workspaces.placeOf(handle) : undefined
}

function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null ? Object.fromEntries(Object.entries(given)) : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
