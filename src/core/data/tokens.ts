import { createHash, timingSafeEqual } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { type Access, SCOPES, type Scope } from '../../shared/access'
import { AppError } from '../../shared/errors'
import { keptOwnerToken, newSecret } from './ownerToken'
import { type NamedToken, TokenFile } from './tokenFile'

export const OWNER = 'owner'

/** How often a host looks for tokens that another process revoked while a client stays connected. */
const REVOKED_CHECK_INTERVAL_MS = 500
const MAX_SECRET_LENGTH = 512
const NO_TOKENS: readonly NamedToken[] = []

const nameSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)

/** What `list` shows of a named token: never its secret, which is not kept. */
export interface TokenInfo {
  name: string
  scopes: readonly Scope[]
  projects: readonly string[] | null
  created: string
}

/**
 * Who may come in: the owner by one secret, clients by named ones that can be limited and taken back. Only hashes of
 * the named secrets are kept. What another process adds or revokes counts from the next request on.
 */
export class Tokens {
  readonly #dataDir: string
  readonly #file: TokenFile
  readonly #revokedListeners = new Set<(name: string) => void>()
  #ownerToken: string | undefined
  #seen: readonly NamedToken[] = []
  #timer: NodeJS.Timeout | undefined

  /** A given `ownerToken` holds for this run only and is written nowhere. */
  constructor({ dataDir, ownerToken }: { dataDir: string; ownerToken?: string | undefined }) {
    this.#dataDir = dataDir
    this.#ownerToken = ownerToken || undefined
    this.#file = new TokenFile(dataDir)
  }

  get ownerToken(): string {
    this.#ownerToken ??= keptOwnerToken(this.#dataDir)
    return this.#ownerToken
  }

  /** The rights behind a secret. Takes the same time whichever token it is, or none. */
  verify(secret: string): Access | undefined {
    if (secret.length === 0 || secret.length > MAX_SECRET_LENGTH) return undefined
    const given = sha256(secret)
    const named = this.#current()
    let found: Access | undefined
    if (timingSafeEqual(given, sha256(this.ownerToken))) found = { name: OWNER, scopes: SCOPES, projects: null }
    for (const { name, hash, scopes, projects } of named) {
      if (timingSafeEqual(given, Buffer.from(hash, 'hex'))) found ??= { name, scopes, projects }
    }
    return found
  }

  list(): TokenInfo[] {
    return this.#current().map(({ name, scopes, projects, created }) => ({ name, scopes, projects, created }))
  }

  /** Makes a token and returns its secret, which is shown this once. */
  add(name: string, { scopes, projects }: { scopes: readonly Scope[]; projects: readonly string[] | null }): string {
    checkName(name)
    const real = projects === null ? null : projects.map(realProject)
    const secret = newSecret()
    this.#file.update((tokens) => {
      if (tokens.some((token) => token.name === name)) {
        throw new AppError(
          'INVALID_ARGUMENTS',
          `There is a token "${name}" already`,
          'Revoke it first, or pick a name.'
        )
      }
      const hash = sha256(secret).toString('hex')
      return [...tokens, { name, hash, scopes: [...scopes], projects: real, created: new Date().toISOString() }]
    })
    return secret
  }

  /** Takes a token back; false when there is none of that name. */
  revoke(name: string): boolean {
    let existed = false
    this.#file.update((tokens) => {
      const left = tokens.filter((token) => token.name !== name)
      existed = left.length < tokens.length
      return left
    })
    this.#current()
    return existed
  }

  /** Called with the name of each token that stops being valid, whoever revoked it: its open connections must end. */
  onRevoked(listener: (name: string) => void): () => void {
    this.#current()
    this.#revokedListeners.add(listener)
    this.#timer ??= setInterval(() => this.#current(), REVOKED_CHECK_INTERVAL_MS).unref()
    return () => {
      this.#revokedListeners.delete(listener)
      if (this.#revokedListeners.size === 0) this.close()
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#revokedListeners.clear()
  }

  // A file that cannot be understood opens no door: then only the owner comes in until it is mended.
  #current(): readonly NamedToken[] {
    const state = this.#file.read()
    const now = state === 'corrupt' ? NO_TOKENS : state
    const before = this.#seen
    this.#seen = now
    if (now !== before) this.#announceRevoked(before, now)
    return now
  }

  // A token that was revoked and added again under its name is another token.
  #announceRevoked(before: readonly NamedToken[], now: readonly NamedToken[]): void {
    const gone = before.filter(({ hash }) => !now.some((token) => token.hash === hash))
    for (const { name } of gone) for (const listener of [...this.#revokedListeners]) listener(name)
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function checkName(name: string): void {
  if (name !== OWNER && nameSchema.safeParse(name).success) return
  throw new AppError(
    'INVALID_ARGUMENTS',
    `"${name}" cannot name a token`,
    'Use 1 to 64 letters, digits, dots, hyphens or underscores, not "owner".'
  )
}

function realProject(project: string): string {
  if (!isAbsolute(project)) {
    throw new AppError('INVALID_ARGUMENTS', `Project "${project}" is not an absolute path`, 'Give the full path.')
  }
  try {
    return realpathSync(project)
  } catch (cause) {
    throw new AppError('INVALID_ARGUMENTS', `Project "${project}" does not exist`, 'Give an existing directory.', {
      cause
    })
  }
}
