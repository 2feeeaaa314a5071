import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '../../shared/errors'
import { ownerIdOf } from './ownerId'
import { isPrivateDraft } from './privateFile'

/** Where one owner's config, tokens, lock and discovery file live: 0700, every file in it 0600. */
export interface DataDir {
  path: string
  /** Name of this data dir's private tmux server. */
  tmuxSocket: string
}

/** What only a host writes: a directory with one of them is a data dir, whatever else became of it. */
const MARKS = ['owner-id', 'shell-key', 'audit.jsonl', 'tmux-servers.json', 'window-memory.json']
/** What a person may have put into one before its first host; a volume of its own has the last. */
const BEFORE_THE_FIRST_HOST = ['config.json', 'token', 'tokens.json', 'lost+found']

/** For a process that writes there: makes the data dir if need be, closes it to others, and marks it as ours. */
export function openDataDir(environment: NodeJS.ProcessEnv, chosen?: string): DataDir {
  const { path } = locateDataDir(environment, chosen)
  try {
    makePrivate(path, { isStandard: path === realPath(standardDataDir(environment)) })
    ownerIdOf(path)
  } catch (cause) {
    throw unusable(path, cause)
  }
  return locateDataDir(environment, chosen)
}

/** For a process that only asks what is there: nothing is made or changed, but another user's word is not taken. */
export function findDataDir(environment: NodeJS.ProcessEnv, chosen?: string): DataDir {
  const found = locateDataDir(environment, chosen)
  try {
    const stats = statSync(found.path, { throwIfNoEntry: false })
    if (stats) requireOwn(stats)
  } catch (cause) {
    throw unusable(found.path, cause)
  }
  return found
}

/** Where it is, or would be. */
export function locateDataDir(environment: NodeJS.ProcessEnv, chosen?: string): DataDir {
  const path = realPath(locate(environment, chosen))
  return { path, tmuxSocket: tmuxSocketOf(path, { environment, standard: realPath(standardDataDir(environment)) }) }
}

/** What others must be told to find it from anywhere: nothing for the usual one. */
export function namedDataDir(environment: NodeJS.ProcessEnv, { path }: Pick<DataDir, 'path'>): string | undefined {
  return path === realPath(standardDataDir(environment)) ? undefined : path
}

/** Whether a directory is a data dir, or nothing yet and may become one. Anybody else's is left as it is. */
export function mayBeDataDir(path: string): boolean {
  const names = readdirSync(path)
  const isHarmless = (name: string) => BEFORE_THE_FIRST_HOST.includes(name) || isPrivateDraft(name)
  return names.some((name) => MARKS.includes(name)) || names.every(isHarmless)
}

function locate(environment: NodeJS.ProcessEnv, chosen: string | undefined): string {
  if (chosen === '') {
    throw new AppError('INVALID_ARGUMENTS', '--data-dir is empty', 'Name a directory, or leave it out.')
  }
  // A variable that is set to nothing says nothing.
  return resolve(chosen ?? (environment.TANDEM_DATA_DIR || standardDataDir(environment)))
}

/** The one name of a place however it was spelled, also of one that does not exist yet. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const parent = dirname(path)
  return parent === path ? path : join(realPath(parent), basename(path))
}

export function standardDataDir(environment: NodeJS.ProcessEnv): string {
  const home = environment.HOME || homedir()
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Application Support', 'tandem')
    : join(home, '.config', 'tandem')
}

function makePrivate(path: string, { isStandard }: { isStandard: boolean }): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const stats = statSync(path)
  requireOwn(stats)
  if (!isStandard && !mayBeDataDir(path)) throw new Error('it holds other things than Tandem’s')
  if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o700)
}

function requireOwn({ uid }: { uid: number }): void {
  if (process.getuid && uid !== process.getuid()) throw new Error('it belongs to another user')
}

function unusable(path: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError(
    'IO_ERROR',
    `Cannot use the data directory "${path}": ${reason}`,
    'Choose an empty or a new one with --data-dir or TANDEM_DATA_DIR.',
    { cause }
  )
}

function tmuxSocketOf(
  path: string,
  { environment, standard }: { environment: NodeJS.ProcessEnv; standard: string }
): string {
  const named = environment.TANDEM_TMUX_SOCKET
  if (named) return checkedSocketName(named)
  if (path === standard) return 'tandem'
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
