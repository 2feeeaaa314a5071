import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { AppError } from '../../shared/errors'

/** Where one owner's config, tokens, lock and discovery file live: 0700, every file in it 0600. */
export interface DataDir {
  path: string
  /** Name of this data dir's private tmux server. */
  tmuxSocket: string
}

/** Opens (and makes, if need be) the data dir; refuses one that belongs to somebody else. */
export function openDataDir(environment: NodeJS.ProcessEnv, chosen?: string): DataDir {
  makePrivate(locate(environment, chosen))
  return locateDataDir(environment, chosen)
}

/** The same without touching anything: it need not exist. */
export function locateDataDir(environment: NodeJS.ProcessEnv, chosen?: string): DataDir {
  const asked = locate(environment, chosen)
  const path = existsSync(asked) ? realpathSync(asked) : asked
  return { path, tmuxSocket: tmuxSocketOf(path, { environment, standard: standardDataDir(environment) }) }
}

function locate(environment: NodeJS.ProcessEnv, chosen: string | undefined): string {
  return resolve(chosen ?? environment.TANDEM_DATA_DIR ?? standardDataDir(environment))
}

export function standardDataDir(environment: NodeJS.ProcessEnv): string {
  const home = environment.HOME || homedir()
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Application Support', 'tandem')
    : join(home, '.config', 'tandem')
}

function makePrivate(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const { uid, mode } = statSync(path)
    if (process.getuid && uid !== process.getuid()) throw new Error('it belongs to another user')
    if ((mode & 0o077) !== 0) chmodSync(path, 0o700)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError(
      'IO_ERROR',
      `Cannot use the data directory "${path}": ${reason}`,
      'Choose another with --data-dir or TANDEM_DATA_DIR.',
      { cause }
    )
  }
}

function tmuxSocketOf(
  path: string,
  { environment, standard }: { environment: NodeJS.ProcessEnv; standard: string }
): string {
  const named = environment.TANDEM_TMUX_SOCKET
  if (named) return checkedSocketName(named)
  if (path === resolve(standard)) return 'tandem'
  return `tandem-${createHash('sha256').update(path).digest('hex').slice(0, 8)}`
}

function checkedSocketName(name: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name) && name !== 'default') return name
  throw new AppError(
    'INVALID_ARGUMENTS',
    `TANDEM_TMUX_SOCKET is "${name}"`,
    'Use 1 to 64 letters, digits, hyphens or underscores, and not "default", which is your own tmux server.'
  )
}
