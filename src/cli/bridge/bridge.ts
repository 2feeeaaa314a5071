import { AppError, ERRORS } from '../../shared/errors'
import { answerDiscover, answerInitialize, complete, versionRefusal } from './identity'
import { LostCalls } from './lostCalls'
import type { Fields, Incoming, RpcNotification, RpcOutcome, RpcRequest } from './messages'
import { claimedVersion, fieldsOf, type Id, isId, META_KEYS, MODERN_VERSION, RPC_ERRORS } from './messages'
import type { Relay } from './relay'
import { ResourceWatch } from './resourceWatch'
import { listenedUris, Subscriptions } from './subscriptions'
import type { ToolList } from './toolList'

/** A client waits for the first list while it starts, some for 10 s in all: then it is shown the one of this version. */
const LIST_REACH_LIMIT_MS = 4000

/** Fields that only newer clients know. */
const MODERN_RESULT_FIELDS = ['resultType', 'ttlMs', 'cacheScope']

interface BridgeParts {
  relay: Relay
  toolList: ToolList
  peer: { answer(id: Id, outcome: RpcOutcome): void; notify(notification: RpcNotification): void }
}

/** One client's server: says hello by itself at once, and carries everything else to the host, in the newest protocol. */
export class Bridge {
  readonly #parts: BridgeParts
  readonly #pending = new Map<Id, AbortController>()
  readonly #lostCalls = new LostCalls()
  readonly #subscriptions: Subscriptions
  readonly #watch: ResourceWatch
  /** What an older client said of itself, for every request of it. */
  #hello: Fields = { [META_KEYS.clientCapabilities]: {}, [META_KEYS.clientInfo]: { name: 'agent', version: '0' } }

  constructor(parts: BridgeParts) {
    this.#parts = parts
    this.#watch = new ResourceWatch({
      listen: (params, signal, note) => this.#ask('subscriptions/listen', params, { signal, note }),
      changed: (uri) => this.#subscriptions.resourceChanged(uri)
    })
    this.#subscriptions = new Subscriptions({
      notify: parts.peer.notify,
      changed: (uris) => this.#watch.follow(uris)
    })
  }

  get pendingRequests(): number {
    return this.#pending.size
  }

  take(message: Incoming): void {
    if (message.kind === 'request') void this.#serve(message)
    else if (message.kind === 'notification' && message.method === 'notifications/cancelled') {
      this.#cancel(message.params.requestId)
    }
  }

  /** Another host may have other tools, and has not heard what this client wants to be told of. */
  async attached(): Promise<void> {
    this.#watch.again()
    if (!this.#parts.toolList.wasShown) return
    const outcome = await this.#ask('tools/list', {}, { signal: new AbortController().signal })
    const tools = 'result' in outcome ? outcome.result.tools : undefined
    if (Array.isArray(tools) && this.#parts.toolList.isNews(tools)) this.#subscriptions.toolsChanged()
  }

  close(): void {
    this.#watch.follow([])
    for (const controller of this.#pending.values()) controller.abort()
  }

  async #serve(request: RpcRequest): Promise<void> {
    const controller = new AbortController()
    this.#pending.set(request.id, controller)
    const outcome = await this.#outcomeOf(request, controller.signal)
    this.#pending.delete(request.id)
    if (outcome && !controller.signal.aborted) this.#parts.peer.answer(request.id, forEra(request, outcome))
  }

  #cancel(id: unknown): void {
    if (!isId(id) || this.#subscriptions.cancel(id)) return
    this.#pending.get(id)?.abort()
  }

  async #outcomeOf(request: RpcRequest, signal: AbortSignal): Promise<RpcOutcome | undefined> {
    const refusal = versionRefusal(request)
    if (refusal) return refusal
    const { method, params } = request
    if (method === 'initialize') return this.#initialize(request)
    if (method === 'server/discover') return answerDiscover()
    if (method === 'ping') return complete({})
    if (method === 'subscriptions/listen') return this.#listen(request, signal)
    if (method === 'resources/subscribe') return this.#subscribe(params.uri)
    if (method === 'resources/unsubscribe') return this.#subscriptions.unsubscribe(params.uri)
    if (method === 'tools/list') return this.#listTools(request, signal)
    return method === 'tools/call' ? this.#callTool(request, signal) : this.#carry(request, signal)
  }

  #initialize(request: RpcRequest): RpcOutcome {
    const { capabilities, clientInfo } = request.params
    this.#hello = {
      [META_KEYS.clientCapabilities]: fieldsOf(capabilities),
      [META_KEYS.clientInfo]: { name: 'agent', version: '0', ...fieldsOf(clientInfo) }
    }
    this.#subscriptions.initialized()
    return answerInitialize(request)
  }

  async #listen(request: RpcRequest, signal: AbortSignal): Promise<RpcOutcome | undefined> {
    const uris = await this.#watch.known(listenedUris(request))
    return signal.aborted ? undefined : this.#subscriptions.listen(request, uris)
  }

  async #subscribe(uri: unknown): Promise<RpcOutcome> {
    const isUnknown = typeof uri === 'string' && (await this.#watch.known([uri])).length === 0
    if (!isUnknown) return this.#subscriptions.subscribe(uri)
    return { error: { code: RPC_ERRORS.invalidParams, message: `Resource not found: ${uri}`, data: { uri } } }
  }

  async #listTools(request: RpcRequest, signal: AbortSignal): Promise<RpcOutcome> {
    const { relay, toolList } = this.#parts
    const relayed = { request: this.#inNewest(request), isRepeatable: true, signal, note: this.#parts.peer.notify }
    const outcome = await attempt(() => relay.carry({ ...relayed, reachLimitMs: LIST_REACH_LIMIT_MS }))
    if (outcome instanceof AppError) {
      if (!ERRORS[outcome.code].retry) return rpcError(outcome)
      const tools = await toolList.own()
      toolList.shown(tools)
      return complete({ tools, ttlMs: 0, cacheScope: 'private' })
    }
    if ('result' in outcome && Array.isArray(outcome.result.tools)) toolList.shown(outcome.result.tools)
    return outcome
  }

  async #callTool(request: RpcRequest, signal: AbortSignal): Promise<RpcOutcome> {
    const { relay, toolList, peer } = this.#parts
    const { params } = request
    const key = this.#lostCalls.keyFor(params)
    const carried = this.#inNewest(request, { [META_KEYS.idempotencyKey]: key })
    const isRepeatable = await toolList.isReader(params.name)
    const outcome = await attempt(() => relay.carry({ request: carried, isRepeatable, signal, note: peer.notify }))
    if (!(outcome instanceof AppError)) {
      this.#lostCalls.answered(params)
      return outcome
    }
    if (outcome.code === 'OUTCOME_UNKNOWN') this.#lostCalls.lost(params, key)
    const text = [`${outcome.code}: ${outcome.message}`, outcome.hint].filter(Boolean).join('\n')
    return complete({ content: [{ type: 'text', text }], isError: true })
  }

  async #carry(request: RpcRequest, signal: AbortSignal): Promise<RpcOutcome> {
    const { relay, peer } = this.#parts
    const carried = { request: this.#inNewest(request), isRepeatable: true, signal, note: peer.notify }
    const outcome = await attempt(() => relay.carry(carried))
    return outcome instanceof AppError ? rpcError(outcome) : outcome
  }

  /** A request of the bridge's own. */
  async #ask(
    method: string,
    params: Fields,
    { signal, note = () => undefined }: { signal: AbortSignal; note?: (notification: RpcNotification) => void }
  ): Promise<RpcOutcome> {
    const request = this.#inNewest({ id: 0, method, params })
    const asked = { request, isRepeatable: false, signal, note, isEndless: method === 'subscriptions/listen' }
    const outcome = await attempt(() => this.#parts.relay.carry(asked))
    return outcome instanceof AppError ? rpcError(outcome) : outcome
  }

  #inNewest(request: RpcRequest, more: Fields = {}): RpcRequest {
    const claims = claimedVersion(request) === undefined ? this.#hello : {}
    const meta = { [META_KEYS.protocolVersion]: MODERN_VERSION, ...claims, ...fieldsOf(request.params._meta), ...more }
    return { ...request, params: { ...request.params, _meta: meta } }
  }
}

async function attempt(run: () => Promise<RpcOutcome>): Promise<RpcOutcome | AppError> {
  try {
    return await run()
  } catch (failure) {
    return AppError.from(failure)
  }
}

function rpcError({ code, message, hint }: AppError): RpcOutcome {
  const data = { code, retry: ERRORS[code].retry, ...(hint === undefined ? {} : { hint }) }
  return { error: { code: RPC_ERRORS.internal, message: `${code}: ${message}`, data } }
}

/** Older clients get what their protocol knows. */
function forEra(request: RpcRequest, outcome: RpcOutcome): RpcOutcome {
  if ('error' in outcome || claimedVersion(request) !== undefined) return outcome
  const kept = Object.entries(outcome.result).filter(([field]) => !MODERN_RESULT_FIELDS.includes(field))
  return { result: Object.fromEntries(kept) }
}
