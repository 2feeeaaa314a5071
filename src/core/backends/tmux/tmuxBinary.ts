import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../../shared/errors'
import { installHint, requireVersion, TmuxMissing, type TmuxVersion } from './tmuxVersion'

const run = promisify(execFile)

/** Where package managers put tmux; on macOS, apps started from the desktop lack these in PATH. */
const USUAL_PLACES = process.platform === 'darwin' ? ['/opt/homebrew/bin', '/usr/local/bin'] : []

export interface TmuxBinary {
  path: string
  version: TmuxVersion
}

/** A tmux that is new enough, or TMUX_UNAVAILABLE with what to do about it; TmuxMissing where there is none. */
export async function findTmux(
  environment: Readonly<Record<string, string>>,
  otherPlaces: readonly string[] = USUAL_PLACES
): Promise<TmuxBinary> {
  const directories = (environment.PATH ?? '').split(delimiter).filter(isAbsolute)
  const path = [...directories, ...otherPlaces].map((directory) => join(directory, 'tmux')).find(isProgram)
  if (path === undefined) throw new TmuxMissing('tmux is not installed')
  return { path, version: requireVersion(await askVersion(path, environment)) }
}

async function askVersion(path: string, env: Readonly<Record<string, string>>): Promise<string> {
  try {
    return (await run(path, ['-V'], { env, timeout: 3_000 })).stdout
  } catch (failure) {
    throw new AppError('TMUX_UNAVAILABLE', `"${path} -V" failed`, `Run it to see why. ${installHint()}`, {
      cause: failure
    })
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
