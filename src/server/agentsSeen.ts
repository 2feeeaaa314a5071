import type { ConnectedAgent } from '../shared/agents'

/** One who came this long ago and asks nothing now counts as quiet. */
const ACTIVE_MS = 5 * 60 * 1000
const MAX_AGENTS = 50
const MAX_NAME_CHARACTERS = 100

interface Seen {
  name: string
  token: string
  lastSeen: number
  requests: number
}

/** Which agents made real requests since the host started; the newest, in memory alone. */
export class AgentsSeen {
  readonly #agents = new Map<string, Seen>()
  readonly #listeners = new Set<() => void>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** An agent asks for something; the returned function says that it has its answer. */
  arrive({ name, token }: Pick<ConnectedAgent, 'name' | 'token'>): () => void {
    const shown = name.slice(0, MAX_NAME_CHARACTERS)
    const key = `${token}\n${shown}`
    const seen = this.#agents.get(key) ?? { name: shown, token, lastSeen: 0, requests: 0 }
    seen.requests += 1
    this.#touch(key, seen)
    return () => {
      seen.requests -= 1
      // Its token may have been revoked, or many others have come since.
      if (this.#agents.get(key) === seen) this.#touch(key, seen)
    }
  }

  /** A token was revoked: nobody is connected with it. */
  forget(token: string): void {
    for (const [key, seen] of this.#agents) if (seen.token === token) this.#agents.delete(key)
    this.#tell()
  }

  /** The latest first. */
  all(): ConnectedAgent[] {
    const now = this.#now()
    return [...this.#agents.values()].reverse().map(({ name, token, lastSeen, requests }) => ({
      name,
      token,
      lastSeen: new Date(lastSeen).toISOString(),
      isActive: requests > 0 || now - lastSeen < ACTIVE_MS
    }))
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Moves it to the end, which is the newest; the first goes when there are too many. */
  #touch(key: string, seen: Seen): void {
    seen.lastSeen = this.#now()
    this.#agents.delete(key)
    this.#agents.set(key, seen)
    const [oldest] = this.#agents.keys()
    if (this.#agents.size > MAX_AGENTS && oldest !== undefined) this.#agents.delete(oldest)
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
