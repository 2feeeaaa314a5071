import { z } from 'zod'

/** The arguments that name a workspace, the same for every tool of this set. */
export const workspaceInput = {
  project: z.string().describe('Absolute path of the project directory'),
  session: z.string().describe('Collab session name, e.g. "default" or "team/review"')
}

export const terminalHandle = z.string().describe('Terminal id, sess_ short id, or tmux session name')
