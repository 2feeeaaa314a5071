import { needsYou } from '../../shared/activity'
import { AppError } from '../../shared/errors'
import type { TerminalSession, WorkspaceKey, WorkspaceSummary } from '../../shared/terminal'
import { quote } from './quote'
import type { Listing, Workspace } from './workspace'
import type { FoundWorkspace } from './workspaceRegistry'

/** One terminal and where it is. */
export type PlacedTerminal = TerminalSession & WorkspaceKey

/** Every terminal of a workspace in order; what was last known of one whose project cannot be reached. */
export async function listing({ workspace, available }: FoundWorkspace): Promise<Listing> {
  return available
    ? workspace.list()
    : workspace.listUnavailable(`Project ${quote(workspace.key.project)} is not available`)
}

export async function summary(workspace: Workspace): Promise<WorkspaceSummary> {
  const { sessions, available, offered } = await workspace.summarise()
  const running = sessions.filter(({ state }) => state === 'running').length
  const counts = { terminals: sessions.length, running, available }
  const urgent = mostUrgent(workspace, sessions)
  return { ...workspace.key, ...counts, ...(offered > 0 ? { offered } : {}), ...(urgent ? { urgent } : {}) }
}

/** The state of the terminal that wants a person most; undefined when all are at rest. */
function mostUrgent(workspace: Workspace, sessions: readonly TerminalSession[]): WorkspaceSummary['urgent'] {
  const held = sessions.flatMap(({ id }) => workspace.terminals.of(id) ?? [])
  const isWaited = ({ control: { state }, shell }: (typeof held)[number]) =>
    needsYou({ needsPerson: state.needsPerson, agentState: shell.agent.current })
  if (held.some(isWaited)) return 'needs-you'
  if (sessions.some(({ state, exitCode }) => state === 'lost' || (exitCode ?? 0) > 0)) return 'failed'
  return held.some(({ state, shell }) => state === 'running' && shell.isWorking) ? 'working' : undefined
}

/** The terminals of one workspace for a list over many: one whose store is held elsewhere does not hide the others. */
export async function placedTerminals(workspace: Workspace): Promise<PlacedTerminal[]> {
  const { sessions } = await workspace.list().catch((failure: unknown) => {
    if (failure instanceof AppError) return workspace.listUnavailable(failure.message)
    throw failure
  })
  return sessions.map((session) => ({ ...session, ...workspace.key }))
}
