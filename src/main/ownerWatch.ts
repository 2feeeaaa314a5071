import { setTimeout as wait } from 'node:timers/promises'
import { type Endpoint, readEndpoint } from '../core/data/discovery'
import { strings } from './strings'

const LOOK_EVERY_MS = 500
/** A host that hands over, or is started again, is away for a moment; only one that stays away has left its place. */
const GONE_AFTER_MS = 4000
/** How long a host that is just starting may take until it says where it listens. */
const START_LIMIT_MS = 10_000
const LOOK_AGAIN_MS = 50

interface OwnerEvents {
  /** Another process is the host now, or the same one somewhere else. */
  replaced(endpoint: Endpoint): void
  /** Nobody is the host. Watching has stopped. */
  gone(last: Pick<Endpoint, 'url'>): Promise<void>
}

/** Looks after the process that owns the terminals while this one is its client. */
export class OwnerWatch {
  readonly #dataDir: string
  readonly #events: OwnerEvents
  #timer: NodeJS.Timeout | undefined

  constructor(dataDir: string, events: OwnerEvents) {
    this.#dataDir = dataDir
    this.#events = events
  }

  start(owner: Pick<Endpoint, 'url'> & Partial<Endpoint>): void {
    let last = owner
    let seenAt = performance.now()
    this.stop()
    this.#timer = setInterval(() => {
      const now = readEndpoint(this.#dataDir)
      if (now) {
        seenAt = performance.now()
        const isAnother = now.pid !== last.pid || now.url !== last.url
        last = now
        if (isAnother) this.#events.replaced(now)
      } else if (performance.now() - seenAt > GONE_AFTER_MS) {
        this.stop()
        void this.#events.gone(last)
      }
    }, LOOK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** The host that owns the data dir, once it says where it listens. */
export async function waitForOwner(dataDir: string): Promise<Endpoint> {
  const deadline = performance.now() + START_LIMIT_MS
  for (;;) {
    const owner = readEndpoint(dataDir)
    if (owner) return owner
    if (performance.now() > deadline) throw new Error(strings.ownerSilent)
    await wait(LOOK_AGAIN_MS)
  }
}
