import { createHash, randomBytes } from 'node:crypto'

const CODE_LIFETIME_MS = 10 * 60 * 1000
const SECRET_BYTES = 32
/** Codes nobody used yet and browsers let in; beyond this the oldest goes. */
const MAX_KEPT = 200

/**
 * How a browser gets in without ever seeing the token: a code that works once, for ten minutes, becomes a cookie. Both
 * live in memory as hashes, so neither survives the host, unless it hands over to another.
 */
export class BrowserCodes {
  readonly #expiryByCode = new Map<string, number>()
  readonly #cookies = new Set<string>()

  /** The port is part of the cookie's name: browsers do not keep cookies of different ports apart. */
  constructor(
    readonly cookieName: string,
    sessions: readonly string[] = []
  ) {
    for (const hash of sessions.slice(-MAX_KEPT)) this.#cookies.add(hash)
  }

  /** Hashes of the cookies that let a browser in now; the host that takes over from this one goes on with them. */
  sessions(): string[] {
    return [...this.#cookies]
  }

  /** A new one-time code. */
  issue(nowMs = Date.now()): string {
    for (const [code, expiry] of this.#expiryByCode) if (expiry <= nowMs) this.#expiryByCode.delete(code)
    dropOldest(this.#expiryByCode)
    const code = newSecret()
    this.#expiryByCode.set(hashOf(code), nowMs + CODE_LIFETIME_MS)
    return code
  }

  /** Turns a code into a `Set-Cookie` value; undefined when it was used, is too old, or never was. */
  redeem(code: string, nowMs = Date.now()): string | undefined {
    const hash = hashOf(code)
    const expiry = this.#expiryByCode.get(hash)
    this.#expiryByCode.delete(hash)
    if (expiry === undefined || expiry <= nowMs) return undefined
    dropOldest(this.#cookies)
    const value = newSecret()
    this.#cookies.add(hashOf(value))
    return `${this.cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict`
  }

  /** Whether a `Cookie` header holds one of ours; undefined when it names none at all. */
  admits(header: string | undefined): boolean | undefined {
    const values = cookieValues(header, this.cookieName)
    if (values.length === 0) return undefined
    return values.some((value) => this.#cookies.has(hashOf(value)))
  }
}

function cookieValues(header: string | undefined, name: string): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

function dropOldest(kept: Map<string, number> | Set<string>): void {
  if (kept.size < MAX_KEPT) return
  const [oldest] = kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
