import { randomBytes } from 'node:crypto'
import type { Logger } from '../log'
import { readPrivateFile, writePrivateFile } from './privateFile'

const KEY_BYTES = 32
const KEY = /^[0-9a-f]{64}\n?$/

/** A secret of the data dir, made the first time it is asked for. One that cannot be kept lasts as long as this host. */
export function keptKey(path: string, log: Logger): Buffer {
  const made = randomBytes(KEY_BYTES)
  try {
    const kept = readPrivateFile(path)
    if (kept !== undefined && KEY.test(kept)) return Buffer.from(kept.trim(), 'hex')
    writePrivateFile(path, `${made.toString('hex')}\n`)
  } catch (failure) {
    log.warn({ err: failure, path }, 'A key could not be kept')
  }
  return made
}
