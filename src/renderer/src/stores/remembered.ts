import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { recall, remember } from './memory'
import { workspaceId } from './workspaceId'

const LAST_WORKSPACE = 'lastWorkspace'
// These must be at hand before the host has said a word, so the browser keeps them.
const LAST_SETTINGS = 'tandem.lastSettings'
const HINTS_SEEN = 'tandem.hintsSeen'

export function rememberTab(workspace: WorkspaceKey, id: TerminalId): void {
  remember(tabOf(workspace), { id })
}

export function rememberedTab(workspace: WorkspaceKey): TerminalId | undefined {
  const { id } = recall(tabOf(workspace))
  return typeof id === 'string' ? id : undefined
}

export function rememberWorkspace({ project, session }: WorkspaceKey): void {
  remember(LAST_WORKSPACE, { project, session })
}

export function rememberedWorkspace(): WorkspaceKey | undefined {
  const { project, session } = recall(LAST_WORKSPACE)
  return typeof project === 'string' && typeof session === 'string' ? { project, session } : undefined
}

export function rememberSettings(values: object): void {
  write(LAST_SETTINGS, values)
}

export function rememberedSettings(): Record<string, unknown> {
  return read(LAST_SETTINGS)
}

/** True the first time a hint is asked for in this browser, then never again. */
export function isFirstHint(hint: string): boolean {
  const seen = read(HINTS_SEEN)
  if (seen[hint] === true) return false
  write(HINTS_SEEN, { ...seen, [hint]: true })
  return true
}

function read(key: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function write(key: string, value: object): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage is full or switched off: the page works without a memory.
    return
  }
}

function tabOf(workspace: WorkspaceKey): string {
  return `tab ${workspaceId(workspace)}`
}
