import { setTimeout as wait } from 'node:timers/promises'
import { type Fields, fieldsOf, type RpcNotification, type RpcOutcome } from './messages'

/** A client that subscribes waits for the host's word so long, and no longer. */
const WORD_LIMIT_MS = 4000

interface ResourceWatchOptions {
  /** Opens a stream at the host; settles when it has ended. */
  listen(params: Fields, signal: AbortSignal, note: (notification: RpcNotification) => void): Promise<RpcOutcome>
  changed(uri: string): void
}

/** Hears from the host which of the wanted resources change, over one stream that is opened anew at each host. */
export class ResourceWatch {
  readonly #options: ResourceWatchOptions
  #uris: readonly string[] = []
  #stream: AbortController | undefined

  constructor(options: ResourceWatchOptions) {
    this.#options = options
  }

  /** Those of the resources that there are, as the host says; all of them when it does not say. */
  async known(uris: readonly string[]): Promise<readonly string[]> {
    if (uris.length === 0) return uris
    const stream = new AbortController()
    const acknowledged = new Promise<readonly string[]>((resolve) => {
      const note = ({ method, params }: RpcNotification) => {
        if (method !== 'notifications/subscriptions/acknowledged') return
        const { resourceSubscriptions } = fieldsOf(params.notifications)
        resolve(Array.isArray(resourceSubscriptions) ? resourceSubscriptions.map(String) : [])
      }
      const ended = this.#options.listen(asked(uris), stream.signal, note)
      void ended.then(() => resolve(uris))
    })
    const known = await Promise.race([acknowledged, wait(WORD_LIMIT_MS, uris, { ref: false })])
    stream.abort()
    return uris.filter((uri) => known.includes(uri))
  }

  /** From now on these and no others. */
  follow(uris: readonly string[]): void {
    this.#uris = uris
    this.#open()
  }

  /** A host is there anew: whatever happened meanwhile, each may have changed. */
  again(): void {
    this.#open()
    for (const uri of this.#uris) this.#options.changed(uri)
  }

  #open(): void {
    this.#stream?.abort()
    this.#stream = undefined
    if (this.#uris.length === 0) return
    const stream = new AbortController()
    this.#stream = stream
    const note = ({ method, params }: RpcNotification) => {
      const isUpdate = method === 'notifications/resources/updated' && !stream.signal.aborted
      if (isUpdate && typeof params.uri === 'string') this.#options.changed(params.uri)
    }
    // A stream that ended is opened again when the host shows itself again.
    void this.#options.listen(asked(this.#uris), stream.signal, note)
  }
}

function asked(uris: readonly string[]): Fields {
  return { notifications: { resourceSubscriptions: uris } }
}
