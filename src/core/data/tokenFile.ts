import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SCOPES } from '../../shared/access'
import { AppError } from '../../shared/errors'
import { isMissing, readPrivateFile, writePrivateFile } from './privateFile'

const namedTokenSchema = z.object({
  name: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(SCOPES)),
  projects: z.array(z.string()).nullable(),
  created: z.string()
})
export type NamedToken = z.infer<typeof namedTokenSchema>

const fileSchema = z.object({ version: z.literal(1), tokens: z.array(namedTokenSchema) })

/** A lock older than this was left by a process that died while it held it. */
const STALE_LOCK_MS = 5000
const LOCK_TRIES = 100
const LOCK_RETRY_MS = 20

/** `tokens.json`: hashes of the named tokens, 0600, replaced whole. Several processes may change it, one at a time. */
export class TokenFile {
  readonly #path: string
  #seen = ''
  #state: readonly NamedToken[] | 'corrupt' = []

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'tokens.json')
  }

  /** The tokens as the file says now; costs one stat while it is unchanged. What cannot be read counts as corrupt. */
  read(): readonly NamedToken[] | 'corrupt' {
    try {
      const version = this.#fileVersion()
      if (version !== this.#seen) this.#state = parse(readPrivateFile(this.#path))
      this.#seen = version
      return this.#state
    } catch {
      this.#seen = ''
      return 'corrupt'
    }
  }

  /** Reads, changes and writes under a lock. A file that cannot be understood is never overwritten. */
  update(change: (tokens: readonly NamedToken[]) => NamedToken[]): void {
    const release = takeLock(`${this.#path}.lock`)
    try {
      const tokens = this.read()
      if (tokens === 'corrupt') {
        throw new AppError('STORE_CORRUPT', `"${this.#path}" cannot be read`, 'Mend the file, or move it away.')
      }
      writePrivateFile(this.#path, `${JSON.stringify({ version: 1, tokens: change(tokens) }, null, 2)}\n`)
    } finally {
      release()
    }
  }

  // A replaced file is another inode, so two changes within one clock tick are told apart too.
  #fileVersion(): string {
    try {
      const { ino, mtimeMs, ctimeMs, size } = statSync(this.#path)
      return `${ino}:${mtimeMs}:${ctimeMs}:${size}`
    } catch (failure) {
      if (isMissing(failure)) return 'missing'
      throw failure
    }
  }
}

function parse(content: string | undefined): readonly NamedToken[] | 'corrupt' {
  if (content === undefined) return []
  try {
    const parsed = fileSchema.safeParse(JSON.parse(content))
    return parsed.success ? parsed.data.tokens : 'corrupt'
  } catch (failure) {
    if (failure instanceof SyntaxError) return 'corrupt'
    throw failure
  }
}

function takeLock(path: string): () => void {
  for (let attempt = 0; attempt < LOCK_TRIES; attempt++) {
    if (tryLock(path)) return () => rmSync(path, { force: true })
    removeStaleLock(path)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_RETRY_MS)
  }
  throw new AppError('STORE_WRITE_FAILED', `"${path}" is held by another process`, 'Try again in a moment.')
}

function tryLock(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'EEXIST') return false
    throw failure
  }
}

function removeStaleLock(path: string): void {
  try {
    if (Date.now() - statSync(path).mtimeMs > STALE_LOCK_MS) rmSync(path, { force: true })
  } catch (failure) {
    if (!isMissing(failure)) throw failure
  }
}
