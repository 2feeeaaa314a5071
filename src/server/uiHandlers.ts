import { z } from 'zod'
import type { Logger } from '../core/log'
import { describeIssues } from '../core/tools/describeIssues'
import type { Workspaces } from '../core/workspace/workspaces'
import type { Access } from '../shared/access'
import { AppError, type Result } from '../shared/errors'
import { type Calls, calls, type Handlers } from '../shared/ipc'

export interface UiParts {
  workspaces: Workspaces
  access: Access
  version: string
  homeProject: string
  notices(): string[]
}

const workspaceSchema = z.strictObject({ project: z.string(), session: z.string() })
const idSchema = z.string()

/** What each call takes, by name so that a wrong one can be named. */
const argumentSchemas = {
  listWorkspaces: {},
  listTerminals: { workspace: workspaceSchema },
  createTerminal: { workspace: workspaceSchema, name: z.string().optional() },
  renameTerminal: { workspace: workspaceSchema, id: idSchema, name: z.string() },
  reorderTerminals: { workspace: workspaceSchema, orderedIds: z.array(idSchema) },
  killTerminal: { workspace: workspaceSchema, id: idSchema },
  hostInfo: {}
} as const satisfies Record<keyof Calls, Record<string, z.ZodType>>

/** The host's side of the window's contract; Electron's IPC and the browser's `/ui` both call it. */
export function createUiHandlers({ workspaces, access, version, homeProject, notices }: UiParts): Handlers {
  return {
    listWorkspaces: () => workspaces.summaries(access),
    listTerminals: async (workspace) => (await workspaces.list(access, workspace)).sessions,
    createTerminal: async (workspace, name) => {
      const { record } = await workspaces.create(access, { ...workspace, name })
      return { id: record.id, tmuxSession: record.tmuxSession }
    },
    renameTerminal: (workspace, id, name) => workspaces.rename(access, workspace, id, name),
    reorderTerminals: async (workspace, orderedIds) => {
      await workspaces.reorder(access, workspace, orderedIds)
      return true
    },
    killTerminal: async (workspace, id) => (await workspaces.kill(access, workspace, id)).success,
    hostInfo: () => ({ version, homeProject, notices: notices() })
  }
}

/** Runs one call from the window. Its arguments are foreign data; failures travel as values. */
export async function answerUiCall(
  handlers: Handlers,
  { call, args }: { call: string; args: readonly unknown[] },
  log: Logger
): Promise<Result<unknown>> {
  try {
    if (!isCall(call)) throw new AppError('NOT_FOUND', `There is no call "${call.slice(0, 100)}"`)
    // The schemas above are keyed by the same calls, and checked arguments are what the handler takes.
    const handler = handlers[call] as (...args: unknown[]) => unknown
    return { ok: true, value: await handler(...checked(argumentSchemas[call], args)) }
  } catch (thrown) {
    const error = AppError.from(thrown)
    if (error.code === 'INTERNAL') log.error({ err: thrown, call }, 'call failed')
    return { ok: false, error: error.toWire() }
  }
}

function checked(shape: Record<string, z.ZodType>, args: readonly unknown[]): unknown[] {
  const names = Object.keys(shape)
  if (args.length > names.length) {
    throw new AppError('INVALID_ARGUMENTS', `There are ${args.length} arguments`, `Give at most ${names.length}.`)
  }
  const schema = z.strictObject(shape)
  const given = Object.fromEntries(args.map((value, index) => [names[index], value ?? undefined]))
  const result = schema.safeParse(given, { reportInput: true })
  if (!result.success) throw describeIssues(result.error, schema)
  const values: Record<string, unknown> = result.data
  return names.map((name) => values[name])
}

function isCall(name: string): name is keyof Calls {
  return Object.hasOwn(calls, name)
}
