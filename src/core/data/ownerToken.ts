import { randomBytes } from 'node:crypto'
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../shared/errors'
import { readPrivateFile, writePrivateFile } from './privateFile'

const SECRET_BYTES = 32
const WELL_FORMED = /^[\x21-\x7e]{16,512}$/

/** 256 random bits in characters that need no quoting in a header, a URL or a shell. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** The owner's token of a data dir, made the first time it is asked for. A damaged file is reported, not replaced. */
export function keptOwnerToken(dataDir: string): string {
  const path = join(dataDir, 'token')
  const kept = readPrivateFile(path)?.trim()
  if (kept === undefined) return makeOwnerToken(path)
  if (!WELL_FORMED.test(kept)) {
    throw new AppError('STORE_CORRUPT', `"${path}" does not hold a token`, 'Delete the file: a new token is then made.')
  }
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
  return kept
}

function makeOwnerToken(path: string): string {
  const secret = newSecret()
  writePrivateFile(path, `${secret}\n`)
  return secret
}
