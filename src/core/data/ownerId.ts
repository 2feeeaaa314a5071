import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { makePrivateFile, readPrivateFile, writePrivateFile } from './privateFile'

/**
 * The data dir's own name, made once. Stamps carry it: terminals of another owner are never adopted, listed or killed.
 * Hosts that start at once, where there is none yet, must agree on it: the lock that lets one of them in bears it.
 * A damaged file is replaced, because a wrong owner merely hides terminals, while a refused start hides everything.
 */
export function ownerIdOf(dataDir: string): string {
  const path = join(dataDir, 'owner-id')
  const made = randomUUID()
  if (readPrivateFile(path) === undefined) makePrivateFile(path, `${made}\n`)
  const known = readPrivateFile(path)?.trim()
  if (known && /^[0-9a-f-]{36}$/.test(known)) return known
  writePrivateFile(path, `${made}\n`)
  return made
}
