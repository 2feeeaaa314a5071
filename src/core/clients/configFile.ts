import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../shared/errors'

const BACKUP_SUFFIX = '.before-tandem'
const ANY_WRITE = 0o222

/** The file's text; empty when there is none. */
export function readConfig(path: string): string {
  try {
    return decoded(readFileSync(path))
  } catch (failure) {
    if (hasCode(failure, 'ENOENT')) return ''
    throw unusable(path, failure)
  }
}

/** What the file was before it was last changed; undefined when nothing was kept. */
export function readBackup(path: string): string | undefined {
  const target = realPath(path)
  const backup = target === undefined ? undefined : `${target}${BACKUP_SUFFIX}`
  return backup !== undefined && existsSync(backup) ? readConfig(backup) : undefined
}

/** Takes away a file that held nothing but ours. */
export function removeConfig(path: string): void {
  try {
    rmSync(path)
  } catch (failure) {
    throw unusable(path, failure)
  }
}

/** Other encodings would come back as other bytes. */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new Error('it is not UTF-8', { cause })
  }
}

/** Replaces the file whole, after a copy of what it was. A link stays a link; its target is what changes. */
export function writeConfig(path: string, text: string): { backup: string | undefined } {
  try {
    const target = realPath(path)
    if (target === undefined) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
      return { backup: undefined }
    }
    const { mode } = statSync(target)
    accessSync(target, constants.W_OK)
    // Root may write everything; a person who took the right away meant it all the same.
    if ((mode & ANY_WRITE) === 0) throw new Error('it is read-only')
    const backup = `${target}${BACKUP_SUFFIX}`
    copyFileSync(target, backup)
    chmodSync(backup, mode)
    replace(target, text, mode)
    return { backup }
  } catch (failure) {
    throw unusable(path, failure)
  }
}

function replace(target: string, text: string, mode: number): void {
  const temporary = join(dirname(target), `.tandem-${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 })
    chmodSync(temporary, mode)
    renameSync(temporary, target)
  } catch (failure) {
    rmSync(temporary, { force: true })
    throw failure
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (failure) {
    if (hasCode(failure, 'ENOENT')) return undefined
    throw failure
  }
}

function unusable(path: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError('IO_ERROR', `"${path}" cannot be changed: ${reason}`, 'It was left as it is.', { cause })
}

function hasCode(failure: unknown, code: string): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === code
}
