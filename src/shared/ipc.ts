import type { Result } from './errors'
import type { EndedTerminal, TerminalId, TerminalSession, WorkspaceKey, WorkspaceSummary } from './terminal'

// The window's whole contract with the host, declared once. Electron's IPC and the browser's /ui WebSocket both carry
// it; preload, handlers and renderer types are derived from these two tables.

type Call<F> = { readonly type?: F }
const call = <F extends (...args: never[]) => unknown>(): Call<F> => ({})

export const calls = {
  listWorkspaces: call<() => WorkspaceSummary[]>(),
  listTerminals: call<(workspace: WorkspaceKey) => TerminalSession[]>(),
  createTerminal: call<(workspace: WorkspaceKey, name?: string) => { id: TerminalId; tmuxSession: string }>(),
  renameTerminal: call<(workspace: WorkspaceKey, id: TerminalId, name: string) => boolean>(),
  reorderTerminals: call<(workspace: WorkspaceKey, orderedIds: TerminalId[]) => boolean>(),
  killTerminal: call<(workspace: WorkspaceKey, id: TerminalId) => boolean>(),
  /** What is over in this workspace, newest first. */
  listEnded: call<(workspace: WorkspaceKey) => EndedTerminal[]>(),
  /** Starts an ended, exited or lost terminal again as it was. */
  restartTerminal: call<(workspace: WorkspaceKey, id: TerminalId) => RestartedTerminal>(),
  /** These are no longer offered; how many there were. */
  forgetEnded: call<(workspace: WorkspaceKey, ids: TerminalId[]) => number>(),
  hostInfo: call<() => HostInfo>()
}

export const events = {
  /** Something about this workspace's terminals changed; ask again. */
  workspaceChanged: call<(workspace: WorkspaceKey) => void>()
}

export interface RestartedTerminal {
  id: TerminalId
  tmuxSession: string
  /** What is not as it was, in sentences: another directory, another program. */
  warnings: string[]
}

/** What the window shows about the host it is a client of. */
export interface HostInfo {
  version: string
  /** Where a first terminal is opened when the person names no project. */
  homeProject: string
  /** Sentences the person should read: no tmux, a bad setting, a store that was rebuilt. */
  notices: string[]
}

type Signature<C> = C extends Call<infer F extends (...args: never[]) => unknown> ? F : never
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
