import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, link, open, readdir, rename, unlink } from 'node:fs/promises'
import { codeOf, type SafeDirectory } from './safeDirectory'

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants
// Without O_NONBLOCK, opening a FIFO that somebody put there would wait for ever.
const OPEN_TO_READ = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
const OPEN_NEW = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
const TEMPORARY = /^\.(.+)\.[0-9a-f]{12}\.tmp$/

/** What a file holds. `bad` is anything but a plain file of decent size; trouble of the disk is thrown. */
export type FileContent = { kind: 'text'; text: string } | { kind: 'missing' } | { kind: 'bad'; why: string }

export async function readSmallFile(directory: SafeDirectory, name: string, maxBytes: number): Promise<FileContent> {
  await directory.verify()
  let handle: FileHandle
  try {
    handle = await open(directory.at(name), OPEN_TO_READ)
  } catch (failure) {
    if (codeOf(failure) === 'ENOENT') return { kind: 'missing' }
    if (codeOf(failure) === 'ELOOP') return { kind: 'bad', why: 'it is a symbolic link' }
    if (codeOf(failure) === 'ENXIO') return { kind: 'bad', why: 'it is a socket' }
    throw failure
  }
  try {
    return await readAtMost(handle, maxBytes)
  } finally {
    await handle.close()
  }
}

async function readAtMost(handle: FileHandle, maxBytes: number): Promise<FileContent> {
  const status = await handle.stat()
  if (!status.isFile()) return { kind: 'bad', why: 'it is not a plain file' }
  if (status.size > maxBytes) return { kind: 'bad', why: `it is larger than ${maxBytes} bytes` }
  // One byte more than there is, to see the end; the most there may be only for a file that grows meanwhile.
  let buffer = Buffer.allocUnsafe(status.size + 1)
  let length = 0
  while (length <= maxBytes) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], maxBytes + 1)
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  if (length > maxBytes) return { kind: 'bad', why: `it is larger than ${maxBytes} bytes` }
  return { kind: 'text', text: buffer.toString('utf8', 0, length) }
}

export interface Replacement {
  name: string
  /** The file that stands there now is kept under this name. */
  keepAs?: string | undefined
}

/** Writes a whole new 0600 file beside the one it is to replace, and answers its name. Nothing is replaced yet. */
export async function writeBeside(directory: SafeDirectory, name: string, text: string): Promise<string> {
  await directory.verify()
  const temporary = temporaryName(name)
  try {
    await writeNewFile(directory, temporary, text)
    return temporary
  } catch (failure) {
    await removeFile(directory, temporary)
    throw failure
  }
}

/**
 * Puts a file that was written beside another in its place, so that a crash at any point leaves the old or the new one,
 * whole. A failure leaves the old one, also when only the last step failed: what is not known to last is not called saved.
 */
export async function putInPlace(
  directory: SafeDirectory,
  temporary: string,
  { name, keepAs }: Replacement
): Promise<void> {
  let kept: Kept = 'nothing'
  try {
    if (keepAs) kept = await keepFile(directory, name, keepAs)
    await directory.verify()
    await rename(directory.at(temporary), directory.at(name))
  } catch (failure) {
    await removeFile(directory, temporary)
    if (keepAs && kept === 'moved') await rename(directory.at(keepAs), directory.at(name))
    throw failure
  }
  try {
    await directory.handle.sync()
  } catch (failure) {
    if (keepAs) await putBack(directory, name, kept === 'nothing' ? undefined : keepAs)
    throw failure
  }
  await directory.verify()
}

// `kept`: where the file of before is; undefined when there was none.
async function putBack(directory: SafeDirectory, name: string, kept: string | undefined): Promise<void> {
  if (kept === undefined) return removeFile(directory, name)
  const temporary = temporaryName(name)
  try {
    await link(directory.at(kept), directory.at(temporary))
  } catch (failure) {
    if (codeOf(failure) === undefined) throw failure
    return rename(directory.at(kept), directory.at(name))
  }
  await rename(directory.at(temporary), directory.at(name))
}

/** Makes a file that must not exist yet. */
export async function writeNewFile(directory: SafeDirectory, name: string, text: string): Promise<void> {
  const handle = await open(directory.at(name), OPEN_NEW, 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes what a killed writer left behind; only the one writer of this file may call it. */
export async function removeTemporaries(directory: SafeDirectory, name: string): Promise<void> {
  for (const found of await readdir(directory.at('.'))) {
    if (TEMPORARY.exec(found)?.[1] === name) await removeFile(directory, found)
  }
}

/** How the old file has its other name: beside its own, or in place of it. */
type Kept = 'nothing' | 'linked' | 'moved'

// A second name for the same file first, so that the first name never stands empty.
async function keepFile(directory: SafeDirectory, name: string, keepAs: string): Promise<Kept> {
  const temporary = temporaryName(name)
  try {
    await link(directory.at(name), directory.at(temporary))
  } catch (failure) {
    if (codeOf(failure) === 'ENOENT') return 'nothing'
    // Directories, and disks without hard links: moved instead.
    await rename(directory.at(name), directory.at(keepAs))
    return 'moved'
  }
  try {
    await rename(directory.at(temporary), directory.at(keepAs))
  } finally {
    // Renaming one name of a file over another name of the same file leaves both.
    await removeFile(directory, temporary)
  }
  return 'linked'
}

function temporaryName(name: string): string {
  return `.${name}.${randomBytes(6).toString('hex')}.tmp`
}

/** Removes a file that may be gone already. */
export async function removeFile(directory: SafeDirectory, name: string): Promise<void> {
  try {
    await unlink(directory.at(name))
  } catch (failure) {
    if (codeOf(failure) !== 'ENOENT') throw failure
  }
}

const IGNORE_NAME = '.gitignore'
const isOfIgnoring = (name: string) => name === IGNORE_NAME || TEMPORARY.exec(name)?.[1] === IGNORE_NAME

/**
 * What Tandem makes in `.collab` is nothing to commit, whoever made that. A file that somebody wrote is left alone; an
 * empty one with nothing beside it is what a write that failed left behind.
 */
export async function ignoreForGit(collab: SafeDirectory): Promise<void> {
  const found = await readSmallFile(collab, IGNORE_NAME, 1)
  if (found.kind === 'bad' || (found.kind === 'text' && found.text !== '')) return
  if (found.kind === 'text' && (await readdir(collab.at('.'))).some((name) => !isOfIgnoring(name))) return
  await putInPlace(collab, await writeBeside(collab, IGNORE_NAME, '*\n'), { name: IGNORE_NAME })
}
