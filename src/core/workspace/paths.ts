import { createHash } from 'node:crypto'
import { isAbsolute, normalize } from 'node:path'
import { AppError } from '../../shared/errors'
import { quote } from './quote'

export const COLLAB_DIRECTORY = '.collab'
export const STORE_NAME = 'terminal-sessions.json'

const MAX_SEGMENTS = 8
const SEGMENT = /^[A-Za-z0-9._:-]{1,64}$/
const MAX_PATH_CHARACTERS = 4096
const SESSION_HINT =
  'A session has 1 to 8 parts split at "/", each of 1 to 64 letters, digits, ".", "_", ":" or "-", none of them "." or "..".'

/** The parts of a collab session's name, each safe as one directory name, or INVALID_ARGUMENTS that says why not. */
export function sessionSegments(session: string): string[] {
  const segments = session.split('/')
  if (segments.length > MAX_SEGMENTS) throw badSession(session, `has ${segments.length} parts`)
  for (const segment of segments) {
    if (segment === '') throw badSession(session, 'has an empty part')
    if (segment === '.' || segment === '..') throw badSession(session, `has the part "${segment}"`)
    if (!SEGMENT.test(segment)) throw badSession(session, `has the part ${quote(segment)}`)
    if (isReserved(segment)) throw badSession(session, `has the part "${segment}", which Tandem's own files use`)
  }
  return segments
}

// A directory of this name would stand where a store or its neighbours must be. Lower case: some disks ignore case.
function isReserved(segment: string): boolean {
  const name = segment.toLowerCase()
  return name === '.gitignore' || name.startsWith(STORE_NAME) || name.startsWith(`.${STORE_NAME}`)
}

function badSession(session: string, why: string): AppError {
  return new AppError('INVALID_ARGUMENTS', `session ${quote(session)} ${why}`, SESSION_HINT)
}

/** The path as given, tidied, or INVALID_ARGUMENTS when it cannot name a directory. */
export function absolutePath(field: string, path: string): string {
  const hint = 'Give the absolute path of an existing directory.'
  if (path.includes('\0'))
    throw new AppError('INVALID_ARGUMENTS', `${field} ${quote(path)} holds a NUL character`, hint)
  if (path.length > MAX_PATH_CHARACTERS)
    throw new AppError('INVALID_ARGUMENTS', `${field} ${quote(path)} is too long`, hint)
  if (!isAbsolute(path))
    throw new AppError('INVALID_ARGUMENTS', `${field} ${quote(path)} is not an absolute path`, hint)
  const tidy = normalize(path)
  return tidy.length > 1 && tidy.endsWith('/') ? tidy.slice(0, -1) : tidy
}

/** One answer for a project that is not there and for one the caller may not see. */
export function noSuchProject(project: string): AppError {
  return new AppError(
    'INVALID_ARGUMENTS',
    `project ${quote(project)} is not an existing directory`,
    'Give the absolute path of an existing directory.'
  )
}

/** A project's identity: its real path, hashed so that it fits anywhere. */
export function projectHashOf(realProject: string): string {
  return createHash('sha256').update(realProject).digest('hex')
}

/** What tells two workspaces apart, whatever their names look like. */
export function workspaceIdOf(projectHash: string, session: string): string {
  return `${projectHash}/${session}`
}
