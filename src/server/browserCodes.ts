import { createHash, randomBytes } from 'node:crypto'

const CODE_LIFETIME_MS = 10 * 60 * 1000
/** A browser that was not used this long asks for a new link. */
const COOKIE_IDLE_MS = 30 * 24 * 60 * 60 * 1000
const SECRET_BYTES = 32
/** Codes nobody used yet and browsers let in; beyond this the oldest goes. */
const MAX_KEPT = 200

/** Whom a link is for; anybody who has it, when nothing is said. */
export interface LinkAudience {
  isForOwnUser?: boolean | undefined
}

interface Code {
  expiryMs: number
  isForOwnUser: boolean
}

/**
 * How a browser gets in without ever seeing the token: a code that works once, for ten minutes, becomes a cookie. Both
 * live in memory as hashes, so neither survives the host, unless it hands over to another.
 */
export class BrowserCodes {
  readonly #codes = new Map<string, Code>()
  /** When each was used last, the one that was longest ago first. */
  readonly #cookies = new Map<string, number>()

  /** The port is part of the cookie's name: browsers do not keep cookies of different ports apart. */
  constructor(
    readonly cookieName: string,
    sessions: readonly string[] = [],
    nowMs = Date.now()
  ) {
    for (const hash of sessions.slice(-MAX_KEPT)) this.#cookies.set(hash, nowMs)
  }

  /** Hashes of the cookies that let a browser in now; the host that takes over from this one goes on with them. */
  sessions(nowMs = Date.now()): string[] {
    for (const [hash, usedMs] of this.#cookies) if (nowMs - usedMs > COOKIE_IDLE_MS) this.#cookies.delete(hash)
    return [...this.#cookies.keys()]
  }

  /** A new one-time code. One that goes through a command line is read by other users, and so is not for them. */
  issue({ isForOwnUser = false, nowMs = Date.now() }: LinkAudience & { nowMs?: number } = {}): string {
    for (const [code, { expiryMs }] of this.#codes) if (expiryMs <= nowMs) this.#codes.delete(code)
    dropOldest(this.#codes)
    const code = newSecret()
    this.#codes.set(hashOf(code), { expiryMs: nowMs + CODE_LIFETIME_MS, isForOwnUser })
    return code
  }

  /** Whether only programs of the user who runs the host may redeem this code. */
  isForOwnUser(code: string): boolean {
    return this.#codes.get(hashOf(code))?.isForOwnUser ?? false
  }

  /** Turns a code into a `Set-Cookie` value; undefined when it was used, is too old, or never was. */
  redeem(code: string, nowMs = Date.now()): string | undefined {
    const hash = hashOf(code)
    const expiryMs = this.#codes.get(hash)?.expiryMs ?? 0
    this.#codes.delete(hash)
    if (expiryMs <= nowMs) return undefined
    dropOldest(this.#cookies)
    const value = newSecret()
    this.#cookies.set(hashOf(value), nowMs)
    return `${this.cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict`
  }

  /** Whether a `Cookie` header holds one of ours; undefined when it names none at all. */
  admits(header: string | undefined, nowMs = Date.now()): boolean | undefined {
    const values = cookieValues(header, this.cookieName)
    if (values.length === 0) return undefined
    return values.some((value) => this.#use(hashOf(value), nowMs))
  }

  #use(hash: string, nowMs: number): boolean {
    const usedMs = this.#cookies.get(hash)
    this.#cookies.delete(hash)
    if (usedMs === undefined || nowMs - usedMs > COOKIE_IDLE_MS) return false
    this.#cookies.set(hash, nowMs)
    return true
  }
}

function cookieValues(header: string | undefined, name: string): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

function dropOldest(kept: Map<string, unknown>): void {
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
