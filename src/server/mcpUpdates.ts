import type { Caller } from '../shared/access'
import type { McpResources } from './mcpResources'

/** A flood of output is one piece of news now and then: the reader takes all of it at once anyway. */
const INTERVAL_MS = 500
/** Resources one subscriber may follow. */
const MAX_FOLLOWED = 200

interface Followed {
  stop(): void
  /** Set while news waits, or for a while after some was sent. */
  timer?: NodeJS.Timeout | undefined
  hasNews: boolean
}

export interface UpdatesListener {
  updated(uri: string): void
  /** The last resource that was followed is gone. */
  emptied?(): void
  /** True while earlier news has not gone out yet: more of it would only pile up. */
  isBehind?(): boolean
}

/** One subscriber: told at once when a resource changes, and then no more often than it can use. */
export class McpUpdates {
  readonly #resources: Pick<McpResources, 'watch'>
  readonly #listener: UpdatesListener
  readonly #followed = new Map<string, Followed>()
  #isClosed = false

  constructor(resources: Pick<McpResources, 'watch'>, listener: UpdatesListener) {
    this.#resources = resources
    this.#listener = listener
  }

  get isFull(): boolean {
    return this.#followed.size >= MAX_FOLLOWED
  }

  /** Rejects with NOT_FOUND when there is nothing there for this subscriber. */
  async follow(caller: Caller, uri: string): Promise<void> {
    if (this.#isClosed || this.#followed.has(uri)) return
    const followed: Followed = { stop: () => undefined, hasNews: false }
    this.#followed.set(uri, followed)
    try {
      followed.stop = await this.#resources.watch(caller, uri, {
        changed: () => this.#changed(uri, followed),
        gone: () => this.#gone(uri)
      })
    } catch (thrown) {
      this.unfollow(uri)
      throw thrown
    }
    // It was given up while it was looked for.
    if (this.#followed.get(uri) !== followed) followed.stop()
  }

  unfollow(uri: string): void {
    const followed = this.#followed.get(uri)
    if (!followed) return
    this.#followed.delete(uri)
    clearTimeout(followed.timer)
    followed.stop()
  }

  close(): void {
    this.#isClosed = true
    for (const uri of [...this.#followed.keys()]) this.unfollow(uri)
  }

  #changed(uri: string, followed: Followed): void {
    followed.hasNews = true
    if (!followed.timer) this.#tell(uri, followed)
  }

  #tell(uri: string, followed: Followed): void {
    followed.timer = undefined
    if (!followed.hasNews || this.#followed.get(uri) !== followed) return
    followed.timer = setTimeout(() => this.#tell(uri, followed), INTERVAL_MS)
    if (this.#listener.isBehind?.()) return
    followed.hasNews = false
    this.#listener.updated(uri)
  }

  // The last news: whoever reads now learns that there is nothing any more.
  #gone(uri: string): void {
    this.unfollow(uri)
    this.#listener.updated(uri)
    if (this.#followed.size === 0) this.#listener.emptied?.()
  }
}
