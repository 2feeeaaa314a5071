import type { TerminalActivity } from './activity'
import type { AgentClientState, ConnectedAgent, ConnectionOutcome, ConnectionSteps, HookClientState } from './agents'
import type { Result } from './errors'
import type { HistoryEntry } from './history'
import type { SettingName, Settings } from './settings'
import type { SettingsReport } from './settingsReport'
import type {
  CommandRecord,
  EndedTerminal,
  TerminalId,
  TerminalSession,
  WorkspaceKey,
  WorkspaceSummary
} from './terminal'

// The window's whole contract with the host, declared once. Electron's IPC and the browser's /ui WebSocket both carry
// it; preload, handlers and renderer types are derived from these two tables.

type Call<F> = { readonly type?: F }
export const call = <F extends (...args: never[]) => unknown>(): Call<F> => ({})

export const calls = {
  /** Nothing but an answer: the host does not hang. */
  beat: call<() => true>(),
  listWorkspaces: call<() => WorkspaceSummary[]>(),
  listTerminals: call<(workspace: WorkspaceKey) => TerminalSession[]>(),
  /** Beside another terminal it starts in the directory where that one is. */
  createTerminal:
    call<(workspace: WorkspaceKey, name?: string, besideId?: TerminalId) => { id: TerminalId; tmuxSession: string }>(),
  renameTerminal: call<(workspace: WorkspaceKey, id: TerminalId, name: string) => boolean>(),
  reorderTerminals: call<(workspace: WorkspaceKey, orderedIds: TerminalId[]) => boolean>(),
  killTerminal: call<(workspace: WorkspaceKey, id: TerminalId) => boolean>(),
  /** Takes it from every list; its program ends after a while, unless the close is undone before. */
  closeTerminal: call<(workspace: WorkspaceKey, id: TerminalId) => boolean>(),
  /** Back to its place, its program untouched; false when it has ended already. */
  undoClose: call<(workspace: WorkspaceKey, id: TerminalId) => boolean>(),
  /** The program that has the keyboard, if it is another than the terminal's own. */
  foregroundProgram: call<(workspace: WorkspaceKey, id: TerminalId) => string | null>(),
  /** To another session of the same project; its program goes on. */
  moveTerminal: call<(workspace: WorkspaceKey, id: TerminalId, session: string) => boolean>(),
  /** Ends every terminal of the workspace and forgets it; how many there were. */
  removeWorkspace: call<(workspace: WorkspaceKey) => number>(),
  /** What is over in this workspace, newest first. */
  listEnded: call<(workspace: WorkspaceKey) => EndedTerminal[]>(),
  /** Starts an ended, exited or lost terminal again as it was. */
  restartTerminal: call<(workspace: WorkspaceKey, id: TerminalId) => RestartedTerminal>(),
  /** These are no longer offered; how many there were. */
  forgetEnded: call<(workspace: WorkspaceKey, ids: TerminalId[]) => number>(),
  /** What was run in a terminal, oldest first; the newest 200. */
  listCommands: call<(tmuxSession: string) => CommandRecord[]>(),
  hostInfo: call<() => HostInfo>(),
  /** What goes on in every terminal. */
  listActivity: call<() => TerminalActivity[]>(),
  /** Who did what, newest first; the newest 200. */
  listHistory: call<() => HistoryEntry[]>(),
  /** The person keeps the keyboard of a terminal until they give it back. */
  takeControl: call<(workspace: WorkspaceKey, id: TerminalId) => boolean>(),
  giveBack: call<(workspace: WorkspaceKey, id: TerminalId) => boolean>(),
  /** What starts a bridge for any agent on this machine, as it could be typed in a shell. */
  bridgeCommand: call<() => string>(),
  /** The programs for agents that can be connected in one step, and how each stands. */
  listAgentClients: call<() => AgentClientState[]>(),
  /** What `connectAgent` would do, or `disconnectAgent` when it is a removal; nothing is done. */
  planConnection: call<(client: string, isRemoval?: boolean) => ConnectionSteps>(),
  /** Does what the plan shows, then tries the connection as the client would. */
  connectAgent: call<(client: string) => ConnectionOutcome>(),
  disconnectAgent: call<(client: string) => ConnectionOutcome>(),
  /** The programs for agents that can show when they need the person, and how each stands. */
  listHookClients: call<() => HookClientState[]>(),
  /** What `addHooks` would do, or `removeHooks` when it is a removal; nothing is done. */
  planHooks: call<(client: string, isRemoval?: boolean) => ConnectionSteps>(),
  addHooks: call<(client: string) => ConnectionOutcome>(),
  removeHooks: call<(client: string) => ConnectionOutcome>(),
  /** Who made real requests since the host started, the latest first; the newest 50. */
  listConnectedAgents: call<() => ConnectedAgent[]>(),
  /** What windows asked to find again, by name; only windows know what it means. */
  recallWindow: call<() => Record<string, string>>(),
  rememberWindow: call<(name: string, text: string) => boolean>(),
  readSettings: call<() => SettingsReport>(),
  /** Writes one setting to the file; without a value its default holds again. */
  changeSetting: call<(name: SettingName, value?: Settings[SettingName]) => SettingsReport>()
}

export const events = {
  /** Something about this workspace's terminals changed; ask again. */
  workspaceChanged: call<(workspace: WorkspaceKey) => void>(),
  /** What goes on in these terminals changed; told a few times a second at most. */
  activityChanged: call<(changes: TerminalActivity[]) => void>(),
  /** Somebody did something; told about once a second at most. */
  historyChanged: call<() => void>(),
  /** An agent made a request; told about once a second at most. */
  agentsChanged: call<() => void>(),
  /** A setting or its file changed; these hold now. */
  settingsChanged: call<(report: SettingsReport) => void>()
}

export interface RestartedTerminal {
  id: TerminalId
  tmuxSession: string
  /** What is not as it was, in sentences: another directory, another program. */
  warnings: string[]
}

/** Something that a person should read, and the command that does something about it. */
export interface HostNotice {
  text: string
  command?: string
}

/** What the window shows about the host it is a client of. */
export interface HostInfo {
  version: string
  /** When its process began: what runs longer than that was there before. */
  startedAt: string
  /** Where a first terminal is opened when the person names no project. */
  homeProject: string
  /** What the person should read: no tmux, a bad setting, a store that was rebuilt. */
  notices: HostNotice[]
}

export type Signature<C> = C extends Call<infer F extends (...args: never[]) => unknown> ? F : never
export type Calls = { [K in keyof typeof calls]: Signature<(typeof calls)[K]> }
export type Events = { [K in keyof typeof events]: Signature<(typeof events)[K]> }

/** What the host's side implements. */
export type Handlers = {
  [K in keyof Calls]: (...args: Parameters<Calls[K]>) => ReturnType<Calls[K]> | Promise<ReturnType<Calls[K]>>
}

/** What the renderer sees. */
export type Bridge = {
  [K in keyof Calls]: (...args: Parameters<Calls[K]>) => Promise<Result<ReturnType<Calls[K]>>>
} & {
  on<K extends keyof Events>(event: K, listener: (...args: Parameters<Events[K]>) => void): () => void
}

/** The frames of the /ui WebSocket, JSON text. */
export type UiRequest = { id: number; call: string; args: unknown[] }
export type UiMessage = { id: number; result: Result<unknown> } | { event: string; args: unknown[] }
