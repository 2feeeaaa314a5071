import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'

/** Where a first terminal opens when nobody names a project. Its real path, because workspaces are known by theirs. */
export function homeProject(environment: NodeJS.ProcessEnv): string {
  try {
    return realpathSync(environment.HOME || homedir())
  } catch {
    return '/' // a user without a home directory still gets a terminal
  }
}
