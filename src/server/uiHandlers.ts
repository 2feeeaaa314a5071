import { z } from 'zod'
import { Audit } from '../core/data/audit'
import type { Logger } from '../core/log'
import { describeIssues } from '../core/tools/describeIssues'
import type { Workspaces } from '../core/workspace/workspaces'
import type { Access } from '../shared/access'
import { AppError, type Result } from '../shared/errors'
import { type Calls, calls, type Handlers } from '../shared/ipc'
import type { WorkspaceKey } from '../shared/terminal'

export interface UiParts {
  workspaces: Workspaces
  access: Access
  version: string
  homeProject: string
  notices(): string[]
  audit?: Audit | undefined
  /** How the audit trail names the window. */
  clientName?: string
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
  listEnded: { workspace: workspaceSchema },
  restartTerminal: { workspace: workspaceSchema, id: idSchema },
  forgetEnded: { workspace: workspaceSchema, ids: z.array(idSchema) },
  hostInfo: {}
} as const satisfies Record<keyof Calls, Record<string, z.ZodType>>

/** The host's side of the window's contract; Electron's IPC and the browser's `/ui` both call it. */
export function createUiHandlers(parts: UiParts): Handlers {
  const { workspaces, access, version, homeProject, notices } = parts
  const traced = tracer(parts)
  return {
    listWorkspaces: () => workspaces.summaries(access),
    listTerminals: async (workspace) => (await workspaces.list(access, workspace)).sessions,
    createTerminal: async (workspace, name) => {
      const { record } = await traced('create', workspace, {
        run: () => workspaces.create(access, { ...workspace, name }),
        found: (created) => created.record
      })
      return { id: record.id, tmuxSession: record.tmuxSession }
    },
    renameTerminal: (workspace, id, name) =>
      traced('rename', { ...workspace, id }, { run: () => workspaces.rename(access, workspace, id, name) }),
    reorderTerminals: async (workspace, orderedIds) => {
      await traced('reorder', workspace, { run: () => workspaces.reorder(access, workspace, orderedIds) })
      return true
    },
    killTerminal: async (workspace, id) =>
      (await traced('kill', { ...workspace, id }, { run: () => workspaces.kill(access, workspace, id) })).success,
    ...endedHandlers(parts, traced),
    hostInfo: () => ({ version, homeProject, notices: notices() })
  }
}

function endedHandlers(
  { workspaces, access }: UiParts,
  traced: ReturnType<typeof tracer>
): Pick<Handlers, 'listEnded' | 'restartTerminal' | 'forgetEnded'> {
  return {
    listEnded: async (workspace) => (await workspaces.ended(access, workspace)).ended,
    restartTerminal: async (workspace, id) => {
      const { record, warnings } = await traced('restart', workspace, {
        run: () => workspaces.restart(access, workspace, id),
        found: (restarted) => restarted.record
      })
      return { id: record.id, tmuxSession: record.tmuxSession, warnings: warnings.map(({ message }) => message) }
    },
    forgetEnded: (workspace, ids) =>
      traced('forget', workspace, { run: () => workspaces.forgetEnded(access, workspace, ids) })
  }
}

/** Leaves a trace of each change that a window makes. */
function tracer({ workspaces, access, audit = new Audit(), clientName = 'browser' }: UiParts) {
  const actor = { token: access.name, client: clientName }
  return <T>(
    action: string,
    where: WorkspaceKey & { id?: string },
    { run, found }: { run: () => Promise<T>; found?: (value: T) => { id: string; name: string } }
  ): Promise<T> => {
    const { project, session, id } = where
    const place = id === undefined ? undefined : workspaces.placeOf(id)
    const terminal = place ? { terminal: { id: place.id, name: place.name } } : {}
    return audit.recordOutcome({ actor, action, ...terminal, project, session }, run, found)
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
