import type { Fields, RpcNotification, RpcOutcome } from './messages'

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
    void this.#options.listen({ notifications: { resourceSubscriptions: this.#uris } }, stream.signal, note)
  }
}
