import { createHmac, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { keptKey } from '../data/keptKey'
import type { Logger } from '../log'
import type { StoredTerminal } from './storeState'

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
    // Without a key that lasts, terminals are still started again as they were until the host ends.
    this.#key ??= keptKey(this.#path, this.#log)
    return createHmac('sha256', this.#key).update(content).digest('base64url')
  }

  isOurs(record: StoredTerminal, place: SealedPlace): boolean {
    const expected = Buffer.from(this.of(record, place))
    const given = Buffer.from(record.seal ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
