import type { TerminalId, WorkspaceKey } from '../../../shared/terminal'
import { workspaceId } from './workspaceId'

const LAST_TAB = 'tandem.lastTab'
const LAST_WORKSPACE = 'tandem.lastWorkspace'

// What this browser remembers between visits: conveniences only, so anything unreadable counts as nothing remembered.

export function rememberTab(workspace: WorkspaceKey, id: TerminalId): void {
  write(LAST_TAB, { ...readTabs(), [workspaceId(workspace)]: id })
}

export function rememberedTab(workspace: WorkspaceKey): TerminalId | undefined {
  const id = readTabs()[workspaceId(workspace)]
  return typeof id === 'string' ? id : undefined
}

export function rememberWorkspace({ project, session }: WorkspaceKey): void {
  write(LAST_WORKSPACE, { project, session })
}

export function rememberedWorkspace(): WorkspaceKey | undefined {
  const { project, session } = read(LAST_WORKSPACE)
  return typeof project === 'string' && typeof session === 'string' ? { project, session } : undefined
}

function readTabs(): Record<string, unknown> {
  return read(LAST_TAB)
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
