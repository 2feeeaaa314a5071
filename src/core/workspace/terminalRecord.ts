import type { TerminalSession, TerminalState, WorkspaceKey } from '../../shared/terminal'
import type { AttemptMark, Stamp } from '../backends/stamp'
import type { Terminal } from '../terminal/terminal'
import type { StoredTerminal } from './storeState'

/** One terminal as every door shows it: what the store keeps, and what only the living program knows. */
export function showTerminal(
  record: StoredTerminal,
  terminal: Terminal | undefined,
  state: TerminalState
): TerminalSession {
  const { id, name, created, order, backend, cwd, program } = record
  return {
    id,
    name,
    tmuxSession: terminal?.tmuxSession ?? record.tmuxSession,
    created,
    order,
    state,
    backend: terminal?.backendKind ?? backend,
    cwd,
    program,
    pid: terminal?.pid ?? null,
    exitCode: terminal?.exit?.exitCode ?? null
  }
}

/** The one terminal a handle names: its UUID, `sess_` and the UUID's first 8 hex digits if unique, or its tmux name. */
export function findByHandle<T extends { id: string; tmuxSession: string }>(
  all: readonly T[],
  handle: string
): T | undefined {
  const exact = all.find(({ id, tmuxSession }) => id === handle.toLowerCase() || tmuxSession === handle)
  if (exact) return exact
  const short = /^sess_([0-9a-f]{8})$/i.exec(handle)?.[1]?.toLowerCase()
  const matches = short === undefined ? [] : all.filter(({ id }) => id.startsWith(short))
  return matches.length === 1 ? matches[0] : undefined
}

export interface StampSource {
  owner: string
  key: WorkspaceKey
  projectHash: string
  record: StoredTerminal
  attempt?: AttemptMark | undefined
}

export function stampOf({ owner, key, projectHash, record, attempt }: StampSource): Stamp {
  const { id, name, order, created, program, cwd, openedBy } = record
  const place = { project: key.project, projectHash, session: key.session }
  const origin = { ...(openedBy ? { openedBy } : {}), ...(attempt ? { attempt } : {}) }
  return { owner, id, ...place, name, order, created, program, cwd, ...origin }
}
