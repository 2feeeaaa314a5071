import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './safeDirectory'

/** Times of a file advance in steps of a few milliseconds: two changes within one step could not be told apart. */
const SETTLED_MS = 100

/**
 * What tells one state of a file from every other. Undefined where that cannot be said: it is missing, changed just now,
 * or its directory is not really where its path says.
 */
export async function fileSignature(directory: string, name: string): Promise<string | undefined> {
  try {
    const [real, status] = await Promise.all([realpath(directory), lstat(join(directory, name), { bigint: true })])
    if (real !== directory || !status.isFile()) return undefined
    if (Date.now() - Number(status.ctimeMs) < SETTLED_MS) return undefined
    return [status.dev, status.ino, status.mode, status.size, status.mtimeNs, status.ctimeNs].join(' ')
  } catch (failure) {
    if (codeOf(failure) === undefined) throw failure
    return undefined
  }
}
