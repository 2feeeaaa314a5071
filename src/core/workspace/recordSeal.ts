import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { readPrivateFile, writePrivateFile } from '../data/privateFile'
import type { Logger } from '../log'
import type { StoredTerminal } from './storeState'

const KEY_BYTES = 32
const KEY = /^[0-9a-f]{64}\n?$/

/** Where a sealed record belongs. */
export interface SealedPlace {
  projectHash: string
  session: string
}

/**
 * Tells records this owner wrote from records that came with a repository. Only a sealed one is ever run as it says:
 * what a file from elsewhere names is not started, whoever clicks on it.
 */
export class RecordSeal {
  readonly #path: string
  readonly #log: Logger
  #key: Buffer | undefined

  constructor(dataDir: string, log: Logger) {
    this.#path = join(dataDir, 'store-key')
    this.#log = log
  }

  of(record: StoredTerminal, { projectHash, session }: SealedPlace): string {
    const { id, program, cwd } = record
    const content = JSON.stringify([projectHash, session, id, program, cwd])
    this.#key ??= this.#readOrMake()
    return createHmac('sha256', this.#key).update(content).digest('base64url')
  }

  isOurs(record: StoredTerminal, place: SealedPlace): boolean {
    const expected = Buffer.from(this.of(record, place))
    const given = Buffer.from(record.seal ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  // Without a key that lasts, terminals are still started again as they were until the host ends.
  #readOrMake(): Buffer {
    const made = randomBytes(KEY_BYTES)
    try {
      const kept = readPrivateFile(this.#path)
      if (kept !== undefined && KEY.test(kept)) return Buffer.from(kept.trim(), 'hex')
      writePrivateFile(this.#path, `${made.toString('hex')}\n`)
    } catch (failure) {
      this.#log.warn({ err: failure }, 'The key that seals records could not be kept')
    }
    return made
  }
}
