import { z } from 'zod'
import { Audit } from '../core/data/audit'
import type { SettingsStore } from '../core/data/settingsStore'
import type { WindowMemory } from '../core/data/windowMemory'
import type { Logger } from '../core/log'
import { describeIssues } from '../core/tools/describeIssues'
import type { Workspaces } from '../core/workspace/workspaces'
import { AppError, type Result } from '../shared/errors'
import { type Calls, calls, type Handlers, type HostNotice } from '../shared/ipc'
import { SETTING_NAMES } from '../shared/settings'
import type { WorkspaceKey } from '../shared/terminal'
import { type AgentParts, agentHandlers } from './agentHandlers'
import { historyOf } from './history'
import { hookHandlers } from './hookHandlers'
import { controlHandlers } from './uiControl'

export interface UiParts extends AgentParts {
  workspaces: Workspaces
  settingsStore: SettingsStore
  /** Absent: windows find nothing again. */
  windowMemory?: WindowMemory | undefined
  version: string
  homeProject: string
  notices(): HostNotice[]
}

const STARTED_AT = new Date(performance.timeOrigin).toISOString()
const workspaceSchema = z.strictObject({ project: z.string(), session: z.string() })
const idSchema = z.string()

/** What each call takes, by name so that a wrong one can be named. */
const argumentSchemas = {
  beat: {},
  listWorkspaces: {},
  listTerminals: { workspace: workspaceSchema },
  createTerminal: { workspace: workspaceSchema, name: z.string().optional(), besideId: idSchema.optional() },
  renameTerminal: { workspace: workspaceSchema, id: idSchema, name: z.string() },
  reorderTerminals: { workspace: workspaceSchema, orderedIds: z.array(idSchema) },
  killTerminal: { workspace: workspaceSchema, id: idSchema },
  closeTerminal: { workspace: workspaceSchema, id: idSchema },
  undoClose: { workspace: workspaceSchema, id: idSchema },
  foregroundProgram: { workspace: workspaceSchema, id: idSchema },
  moveTerminal: { workspace: workspaceSchema, id: idSchema, session: z.string() },
  removeWorkspace: { workspace: workspaceSchema },
  listEnded: { workspace: workspaceSchema },
  restartTerminal: { workspace: workspaceSchema, id: idSchema },
  forgetEnded: { workspace: workspaceSchema, ids: z.array(idSchema) },
  listCommands: { tmuxSession: z.string() },
  hostInfo: {},
  readSettings: {},
  listActivity: {},
  listHistory: {},
  takeControl: { workspace: workspaceSchema, id: idSchema },
  giveBack: { workspace: workspaceSchema, id: idSchema },
  bridgeCommand: {},
  listAgentClients: {},
  planConnection: { client: z.string(), isRemoval: z.boolean().optional() },
  connectAgent: { client: z.string() },
  disconnectAgent: { client: z.string() },
  listHookClients: {},
  planHooks: { client: z.string(), isRemoval: z.boolean().optional() },
  addHooks: { client: z.string() },
  removeHooks: { client: z.string() },
  listConnectedAgents: {},
  recallWindow: {},
  rememberWindow: { name: z.string(), text: z.string() },
  changeSetting: { name: z.enum(SETTING_NAMES), value: z.unknown().optional() }
} as const satisfies Record<keyof Calls, Record<string, z.ZodType>>

/** The host's side of the window's contract; Electron's IPC and the browser's `/ui` both call it. */
export function createUiHandlers(parts: UiParts): Handlers {
  const { workspaces, settingsStore, windowMemory, access, version, homeProject, notices, audit = new Audit() } = parts
  const traced = tracer({ ...parts, audit })
  return {
    beat: () => true,
    listWorkspaces: () => workspaces.summaries(access),
    listTerminals: async (workspace) => (await workspaces.list(access, workspace)).sessions,
    createTerminal: async (workspace, name, besideId) => {
      const cwd = await directoryOf(parts, besideId)
      const { record } = await traced('create', workspace, {
        run: () => workspaces.create(access, { ...workspace, name, cwd }),
        found: (created) => created.record
      })
      return { id: record.id, tmuxSession: record.tmuxSession }
    },
    renameTerminal: (workspace, id, name) =>
      traced('rename', { ...workspace, id, to: name }, { run: () => workspaces.rename(access, workspace, id, name) }),
    reorderTerminals: async (workspace, orderedIds) => {
      await traced('reorder', workspace, { run: () => workspaces.reorder(access, workspace, orderedIds) })
      return true
    },
    killTerminal: async (workspace, id) =>
      (await traced('kill', { ...workspace, id }, { run: () => workspaces.kill(access, workspace, id) })).success,
    ...closingHandlers(parts, traced),
    ...endedHandlers(parts, traced),
    listCommands: (tmuxSession) => workspaces.terminal(access, tmuxSession).commands.all(),
    hostInfo: () => ({ version, startedAt: STARTED_AT, homeProject, notices: notices() }),
    listActivity: () => workspaces.activity.all(),
    listHistory: () => historyOf({ workspaces, audit, access }),
    ...controlHandlers(parts, traced),
    ...agentHandlers({ ...parts, audit }),
    ...hookHandlers({ ...parts, audit }),
    recallWindow: () => windowMemory?.recall() ?? {},
    rememberWindow: (name, text) => {
      windowMemory?.remember(name, text)
      return windowMemory !== undefined
    },
    readSettings: () => settingsStore.report(),
    changeSetting: (name, value) => {
      settingsStore.change(name, value)
      return settingsStore.report()
    }
  }
}

/** Where a terminal is now; one that cannot say so is no reason to fail. */
async function directoryOf({ workspaces, access }: UiParts, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined
  try {
    return await workspaces.terminal(access, id).currentDirectory()
  } catch (failure) {
    if (failure instanceof AppError) return undefined
    throw failure
  }
}

function closingHandlers(
  { workspaces, access }: UiParts,
  traced: ReturnType<typeof tracer>
): Pick<Handlers, 'closeTerminal' | 'undoClose' | 'foregroundProgram' | 'moveTerminal' | 'removeWorkspace'> {
  const { later, mover } = workspaces
  return {
    closeTerminal: (workspace, id) =>
      traced('close', { ...workspace, id }, { run: () => later.close(access, workspace, id) }),
    undoClose: (workspace, id) =>
      traced('undoClose', { ...workspace, id }, { run: () => later.undo(access, workspace, id) }),
    foregroundProgram: async (_workspace, id) => {
      const program = await workspaces.terminal(access, id).foreground()
      return program && !program.isOwnProgram ? program.name : null
    },
    moveTerminal: (workspace, id, session) =>
      traced('move', { ...workspace, id, to: session }, { run: () => mover.move(access, workspace, { id, session }) }),
    removeWorkspace: async (workspace) =>
      (await traced('remove', workspace, { run: () => workspaces.remove(access, workspace) })).killed
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
function tracer({ workspaces, access, audit, clientName = 'browser' }: UiParts & { audit: Audit }) {
  const actor = { token: access.name, client: clientName }
  return <T>(
    action: string,
    where: WorkspaceKey & { id?: string; to?: string },
    { run, found }: { run: () => Promise<T>; found?: (value: T) => { id: string; name: string } }
  ): Promise<T> => {
    const { id, ...key } = where
    const place = id === undefined ? undefined : workspaces.placeOf(id)
    const terminal = place ? { terminal: { id: place.id, name: place.name } } : {}
    return audit.recordOutcome({ actor, action, ...terminal, ...key }, run, found)
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
