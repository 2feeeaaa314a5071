import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Replaces a small 0600 file so that a reader or a crash sees the old or the new content, never a part of it. */
export function writePrivateFile(path: string, content: string): void {
  place(path, content, renameSync)
}

/** Makes such a file unless there is one: of several processes at once exactly one makes it, and all read the same. */
export function makePrivateFile(path: string, content: string): void {
  try {
    place(path, content, linkSync)
  } catch (failure) {
    const code = failure instanceof Error && 'code' in failure ? failure.code : undefined
    if (code === 'EEXIST') return
    // Some file systems have no hard links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw failure
    writePrivateFile(path, content)
  }
}

/** Whether a name is that of such a file while it is written: another process may be at it now. */
export function isPrivateDraft(name: string): boolean {
  return /^\.[0-9a-f]{12}\.tmp$/.test(name)
}

function place(path: string, content: string, move: (from: string, to: string) => void): void {
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeDurably(temporary, content)
    move(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
  syncDirectory(dirname(path))
}

/** The file's content, or undefined when there is none. Every other trouble is thrown. */
export function readPrivateFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (failure) {
    if (isMissing(failure)) return undefined
    throw failure
  }
}

export function isMissing(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === 'ENOENT'
}

function writeDurably(path: string, content: string): void {
  const descriptor = openSync(path, 'wx', 0o600)
  try {
    writeSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

// Without this the rename itself may be forgotten by a power cut.
function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
