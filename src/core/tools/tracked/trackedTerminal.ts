import { z } from 'zod'
import { AppError } from '../../../shared/errors'
import { agentText } from '../../terminal/agentText'
import type { Terminal } from '../../terminal/terminal'
import type { PlacedTerminal } from '../../workspace/listings'
import type { ToolContext } from '../defineTool'

const MAX_SHOWN_HANDLE = 100

export const trackedTerminalSchema = z.object({
  id: z.string(),
  name: z.string(),
  shellPath: z.string(),
  cwd: z.string(),
  createdAt: z.number().describe('ms since 1970'),
  pid: z.number().nullable(),
  exitCode: z.number().nullable(),
  isRunning: z.boolean(),
  project: z.string(),
  session: z.string(),
  tmuxSession: z.string()
})
export type TrackedTerminal = z.infer<typeof trackedTerminalSchema>

export const terminalIdInput = z.string().describe('Handle of the terminal')

/** A terminal the caller may see, by any handle; one that nobody knows is refused in this toolset's own words. */
export async function findTerminal(handle: string, { workspaces, caller }: ToolContext): Promise<Terminal> {
  await workspaces.learn(caller.access)
  try {
    return workspaces.terminal(caller.access, handle)
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'SESSION_NOT_FOUND') throw failure
    const shown = agentText(handle.slice(0, MAX_SHOWN_HANDLE))
    const message = `Terminal ${shown} not found. Use list_tracked_terminals to see available terminals.`
    throw new AppError('SESSION_NOT_FOUND', message)
  }
}

/** What this toolset says about a terminal, whoever made it. */
export function describeTerminal({
  id,
  name,
  program,
  cwd,
  created,
  pid,
  exitCode,
  state,
  project,
  session,
  tmuxSession
}: PlacedTerminal): TrackedTerminal {
  const createdAt = Date.parse(created)
  const isRunning = state === 'running'
  return { id, name, shellPath: program, cwd, createdAt, pid, exitCode, isRunning, project, session, tmuxSession }
}

/** The same about one that is held. */
export async function describeHeld({ id }: Terminal, { workspaces, caller }: ToolContext): Promise<TrackedTerminal> {
  const place = workspaces.placeOf(id)
  const sessions = place ? (await workspaces.list(caller.access, place)).sessions : []
  const found = sessions.find((session) => session.id === id)
  if (!place || !found) throw new AppError('SESSION_DESTROYED', `Session was closed: "${id}"`, 'Open a new terminal.')
  return describeTerminal({ ...found, project: place.project, session: place.session })
}
