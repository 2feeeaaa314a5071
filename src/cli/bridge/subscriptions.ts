import type { RpcNotification, RpcOutcome, RpcRequest } from './messages'
import { type Fields, fieldsOf, type Id, META_KEYS, RPC_ERRORS } from './messages'

const MAX_SUBSCRIPTIONS = 100

interface Filter {
  toolsListChanged: boolean
  uris: readonly string[]
}

interface SubscriptionsOptions {
  notify(notification: RpcNotification): void
  /** The resources that anybody wants to hear of are others now. */
  changed(uris: readonly string[]): void
}

/**
 * What the client wants to be told of, in the way of either era. It is kept here, so that it holds across hosts: newer
 * clients open streams with a filter, older ones name resources one by one and hear of the tool list unasked.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions
  readonly #streams = new Map<Id, Filter>()
  readonly #named = new Set<string>()
  #hearsUnasked = false

  constructor(options: SubscriptionsOptions) {
    this.#options = options
  }

  /** An older client is there. */
  initialized(): void {
    this.#hearsUnasked = true
  }

  get uris(): string[] {
    return [...new Set([...this.#named, ...[...this.#streams.values()].flatMap(({ uris }) => uris)])].sort()
  }

  subscribe(uri: unknown): RpcOutcome {
    if (typeof uri !== 'string') return { error: { code: RPC_ERRORS.invalidParams, message: 'uri must be a string' } }
    this.#change(() => this.#named.add(uri))
    return { result: {} }
  }

  unsubscribe(uri: unknown): RpcOutcome {
    if (typeof uri === 'string') this.#change(() => this.#named.delete(uri))
    return { result: {} }
  }

  /** A stream begins, for those of its resources that there are; undefined when it is open, until the client cancels it. */
  listen({ id, params }: RpcRequest, uris: readonly string[]): RpcOutcome | undefined {
    const asked = fieldsOf(params.notifications)
    if (this.#streams.size >= MAX_SUBSCRIPTIONS) {
      return { error: { code: RPC_ERRORS.internal, message: 'Subscription limit reached' } }
    }
    const filter = { toolsListChanged: asked.toolsListChanged === true, uris }
    const honored = {
      ...(filter.toolsListChanged ? { toolsListChanged: true } : {}),
      ...(uris.length > 0 ? { resourceSubscriptions: uris } : {})
    }
    this.#change(() => this.#streams.set(id, filter))
    this.#tell('notifications/subscriptions/acknowledged', { notifications: honored }, id)
    return undefined
  }

  /** True when it was a stream that ends now. */
  cancel(id: Id): boolean {
    const existed = this.#streams.has(id)
    if (existed) this.#change(() => this.#streams.delete(id))
    return existed
  }

  toolsChanged(): void {
    const method = 'notifications/tools/list_changed'
    if (this.#hearsUnasked) this.#options.notify({ method, params: {} })
    for (const [id, { toolsListChanged }] of this.#streams) if (toolsListChanged) this.#tell(method, {}, id)
  }

  resourceChanged(uri: string): void {
    const method = 'notifications/resources/updated'
    if (this.#named.has(uri)) this.#options.notify({ method, params: { uri } })
    for (const [id, { uris }] of this.#streams) if (uris.includes(uri)) this.#tell(method, { uri }, id)
  }

  #tell(method: string, params: Fields, id: Id): void {
    this.#options.notify({ method, params: { ...params, _meta: { [META_KEYS.subscriptionId]: id } } })
  }

  #change(act: () => void): void {
    const before = this.uris.join('\n')
    act()
    if (this.uris.join('\n') !== before) this.#options.changed(this.uris)
  }
}

/** The resources that a stream is asked for. */
export function listenedUris({ params }: RpcRequest): string[] {
  const { resourceSubscriptions } = fieldsOf(params.notifications)
  return Array.isArray(resourceSubscriptions) ? resourceSubscriptions.filter(isText) : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
