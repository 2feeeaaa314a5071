import { BRIDGE_HEARTBEAT_MS } from '../../shared/bridge'
import { AppError, ERRORS, type ErrorCode } from '../../shared/errors'
import { strings } from '../strings'
import { DoorRefusal, type HostAddress, type HostCall, NoAnswer, post } from './exchange'
import type { HostLink } from './hostLink'
import type { RpcNotification, RpcOutcome, RpcRequest } from './messages'
import { type Fields, MODERN_VERSION } from './messages'
import type { RunningTime } from './runningTime'

/** A host may take so long to start. */
const REACH_LIMIT_MS = 25_000
/** A host that gave no sign of life for so long does not answer. */
const SILENCE_LIMIT_MS = 25_000
/** No call takes longer than 45 s. */
const CALL_LIMIT_MS = 44_000
/** A tool that waited for as long as it may is answered a moment later, by a host that shows that it lives. */
const LIVING_CALL_LIMIT_MS = 48_000
const LIVING_MS = 3 * BRIDGE_HEARTBEAT_MS
const LOOK_AGAIN_MS = 250
/** What the header `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri'
}

export interface RelayedRequest {
  request: RpcRequest
  /** Asking twice does no harm. */
  isRepeatable: boolean
  signal: AbortSignal
  note(notification: RpcNotification): void
  /** A list that is waited for can be had elsewhere. */
  reachLimitMs?: number
  /** A stream that is to stay open. */
  isEndless?: boolean
}

interface RelayParts {
  link: HostLink
  time: Pick<RunningTime, 'ms' | 'wait'>
  headers: Readonly<Record<string, string>>
}

/** Carries one request to whichever host there is. Sends again only what was not done for certain, or does no harm twice. */
export class Relay {
  readonly #parts: RelayParts

  constructor(parts: RelayParts) {
    this.#parts = parts
  }

  async carry(relayed: RelayedRequest): Promise<RpcOutcome> {
    const { link, time } = this.#parts
    const askedMs = relayed.isEndless ? Number.POSITIVE_INFINITY : time.ms
    const reachUntilMs = time.ms + (relayed.reachLimitMs ?? REACH_LIMIT_MS)
    let refusedToken: string | undefined
    for (;;) {
      const endpoint = await link.reach(Math.max(0, reachUntilMs - time.ms), relayed.signal)
      try {
        return await this.#attempt(endpoint, relayed, askedMs)
      } catch (failure) {
        if (failure instanceof DoorRefusal) {
          // The host may have got another token since its address was read; the same one is refused once only.
          if (failure.status !== 401 || refusedToken === endpoint.token) throw refusalOf(failure)
          refusedToken = endpoint.token
        } else if (!mayAskAgain(failure, relayed) || time.ms >= reachUntilMs || relayed.signal.aborted) {
          throw explain(failure, relayed)
        }
      }
      await time.wait(LOOK_AGAIN_MS, relayed.signal)
    }
  }

  async #attempt(
    endpoint: HostAddress,
    { request, signal, note }: RelayedRequest,
    askedMs: number
  ): Promise<RpcOutcome> {
    const given = new AbortController()
    const giveUp = () => given.abort()
    signal.addEventListener('abort', giveUp)
    const watched = this.#watch(given, askedMs)
    try {
      return await post(endpoint, this.#callFor(request, given.signal), note)
    } finally {
      signal.removeEventListener('abort', giveUp)
      given.abort()
      await watched
    }
  }

  /** Gives up on a host that is stopped or stuck. */
  async #watch(given: AbortController, askedMs: number): Promise<void> {
    const { time, link } = this.#parts
    const sentMs = time.ms
    while (!given.signal.aborted) {
      const isSilent = time.ms - sentMs > SILENCE_LIMIT_MS && !link.wasHeard(SILENCE_LIMIT_MS)
      const limitMs = link.wasHeard(LIVING_MS) ? LIVING_CALL_LIMIT_MS : CALL_LIMIT_MS
      if (isSilent || time.ms - askedMs > limitMs) given.abort()
      await time.wait(LOOK_AGAIN_MS, given.signal)
    }
  }

  #callFor({ id, method, params }: RpcRequest, signal: AbortSignal): HostCall {
    const named = params[NAMED_BY[method] ?? '']
    const name = typeof named === 'string' ? { 'mcp-name': headerValue(named) } : {}
    return {
      path: '/mcp',
      signal,
      headers: {
        ...this.#parts.headers,
        ...name,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN_VERSION,
        'mcp-method': headerValue(method)
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params })
    }
  }
}

/** A header holds printable ASCII; anything else goes in the protocol's own wrapping. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')) return text
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}

function mayAskAgain(failure: unknown, { isRepeatable }: RelayedRequest): boolean {
  return failure instanceof NoAnswer && (!failure.wasSent || isRepeatable)
}

function explain(failure: unknown, { isRepeatable }: RelayedRequest): unknown {
  if (!(failure instanceof NoAnswer)) return failure
  if (!failure.wasSent || isRepeatable) {
    return new AppError('HOST_UNAVAILABLE', strings.bridge.noAnswer, strings.bridge.unavailableHint)
  }
  return new AppError('OUTCOME_UNKNOWN', strings.bridge.outcomeUnknown, strings.bridge.outcomeUnknownHint)
}

function refusalOf({ status, error }: DoorRefusal): AppError {
  const { code, message, hint }: Fields = error
  const known = typeof code === 'string' && Object.hasOwn(ERRORS, code)
  // It is a code of ours, as was just seen.
  const ownCode = known ? (code as ErrorCode) : 'INTERNAL'
  const advice = ownCode === 'UNAUTHORIZED' ? strings.bridge.tokenHint : typeof hint === 'string' ? hint : undefined
  return new AppError(ownCode, typeof message === 'string' ? message : strings.bridge.refused(status), advice)
}
