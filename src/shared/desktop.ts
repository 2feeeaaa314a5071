import type { ActionId } from './actions'
import type { Result } from './errors'
import { call, type Signature } from './ipc'
import type { TerminalId, WorkspaceKey } from './terminal'

// What the desktop shell does for its window beyond the host's contract: declared once, absent in a browser.

export const desktopCalls = {
  /** The person chooses a folder in the system's own dialog; null when they thought better of it. */
  chooseFolder: call<() => string | null>(),
  newWindow: call<() => void>(),
  /** Whether a screen reader or another assistive program asks the window for what it shows. */
  screenReaderIsThere: call<() => boolean>(),
  /** Leaves, lets the update take place and comes back; programs in tmux notice nothing. */
  restartToUpdate: call<() => void>()
}

export const desktopEvents = {
  /** Chosen in the application's menu. */
  runAction: call<(id: ActionId) => void>(),
  /** A notification was clicked. */
  showTerminal: call<(workspace: WorkspaceKey, id: TerminalId) => void>(),
  /** A folder was opened from outside: by `tandem <folder>`, or dropped on the app's icon. */
  showProject: call<(project: string) => void>(),
  /** A newer version is there and takes the place of this one at the next start. */
  updateReady: call<(version: string) => void>(),
  /** A screen reader was started, or is gone. */
  screenReaderChanged: call<(isThere: boolean) => void>()
}

export type DesktopCalls = { [K in keyof typeof desktopCalls]: Signature<(typeof desktopCalls)[K]> }
export type DesktopEvents = { [K in keyof typeof desktopEvents]: Signature<(typeof desktopEvents)[K]> }

/** What the shell's side implements. */
export type DesktopHandlers = {
  [K in keyof DesktopCalls]: () => ReturnType<DesktopCalls[K]> | Promise<ReturnType<DesktopCalls[K]>>
}

/** What the page sees of the shell it runs in. */
export type DesktopTools = {
  [K in keyof DesktopCalls]: () => Promise<Result<ReturnType<DesktopCalls[K]>>>
} & {
  /** Where a dropped file lies, or empty when it lies nowhere. */
  pathOf(file: object): string
  on<K extends keyof DesktopEvents>(event: K, listener: (...args: Parameters<DesktopEvents[K]>) => void): () => void
}

/**
 * At the end of a window's address when another process has the terminals: the page, which comes from that one, then
 * speaks to it by itself. A window can change sides while it stands, so this is no property of the window.
 */
export const CLIENT_MARK = '#client'
