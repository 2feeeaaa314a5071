import type { Result, WireError } from '../../../shared/errors'
import { type Bridge, calls, type UiMessage, type UiRequest } from '../../../shared/ipc'
import { strings } from '../strings'
import { backOffMs } from './backOff'
import type { Connection, Reachability } from './connection'
import { HostBeat } from './hostBeat'
import { withoutCuttingConnect } from './withoutCuttingConnect'

export interface SocketBridgeOptions {
  openSocket(): WebSocket
  probe(): Promise<Reachability>
  onConnection(connection: Connection): void
}

type Listener = (...args: never[]) => void

/** A host that hangs takes connections and answers none: one that is not open by then is given up for another. */
const CONNECT_LIMIT_MS = 20_000

/**
 * Carries the window's contract over the /ui WebSocket. It reconnects by itself, also from a host that hangs; a call that
 * was under way when the socket dropped is answered with a coded error, never left hanging and never sent twice.
 */
export class SocketBridge {
  readonly bridge: Bridge
  readonly #options: SocketBridgeOptions
  readonly #pending = new Map<number, { call: string; resolve(result: Result<unknown>): void }>()
  readonly #listeners = new Map<string, Set<Listener>>()
  #socket: WebSocket | undefined
  #open = false
  #lastId = 0
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false
  readonly #beat = new HostBeat({ ask: () => void this.#call('beat', []), onSilence: () => this.#abandon() })

  constructor(options: SocketBridgeOptions) {
    this.#options = options
    const senders = Object.keys(calls).map((name) => [name, (...args: unknown[]) => this.#call(name, args)])
    const on = (event: string, listener: Listener) => this.#on(event, listener)
    // The one cast of this boundary: the loop above builds exactly what Bridge declares.
    this.bridge = { ...Object.fromEntries(senders), on } as unknown as Bridge
    this.#connect()
  }

  /** Tries at once instead of waiting out the back-off. */
  retryNow(): void {
    if (this.#closed || this.#socket) return
    this.#connect()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    if (this.#socket) withoutCuttingConnect(this.#socket)
    this.#dropped()
  }

  #connect(): void {
    clearTimeout(this.#timer)
    this.#options.onConnection({ state: 'connecting' })
    const socket = this.#options.openSocket()
    this.#socket = socket
    this.#timer = setTimeout(() => this.#abandon(), CONNECT_LIMIT_MS)
    // One that was given up has nothing to say any more.
    const whileOurs = (react: () => void) => () => {
      if (this.#socket === socket) react()
    }
    socket.addEventListener(
      'open',
      whileOurs(() => this.#opened())
    )
    socket.addEventListener('message', ({ data }) => whileOurs(() => this.#received(data))())
    socket.addEventListener(
      'close',
      whileOurs(() => void this.#lost())
    )
  }

  /** The host does not answer on this socket: goodbyes would be waited for as well. */
  #abandon(): void {
    const socket = this.#socket
    void this.#lost()
    if (socket) withoutCuttingConnect(socket)
  }

  #opened(): void {
    if (this.#closed) return
    clearTimeout(this.#timer)
    this.#open = true
    this.#failures = 0
    this.#beat.start()
    this.#options.onConnection({ state: 'connected' })
  }

  async #lost(): Promise<void> {
    this.#dropped()
    if (this.#closed) return
    const wait = backOffMs(this.#failures)
    this.#failures += 1
    this.#options.onConnection({ state: 'waiting', retryAt: Date.now() + wait })
    this.#timer = setTimeout(() => this.#connect(), wait)
    const reachability = await this.#options.probe()
    if (reachability !== 'signedOut' || this.#socket || this.#closed) return
    clearTimeout(this.#timer)
    this.#options.onConnection({ state: 'signedOut' })
  }

  #dropped(): void {
    this.#socket = undefined
    this.#open = false
    this.#beat.stop()
    for (const { call, resolve } of this.#pending.values()) resolve({ ok: false, error: lost(call) })
    this.#pending.clear()
  }

  #call(call: string, args: unknown[]): Promise<Result<unknown>> {
    const socket = this.#socket
    if (!socket || !this.#open) return Promise.resolve({ ok: false, error: notConnected(call) })
    const id = ++this.#lastId
    const request: UiRequest = { id, call, args }
    return new Promise((resolve) => {
      this.#pending.set(id, { call, resolve })
      socket.send(JSON.stringify(request))
    })
  }

  #received(data: unknown): void {
    this.#beat.heard()
    // Only the host that served this page is at the other end, and both ends are built from shared/ipc.ts.
    const message = JSON.parse(String(data)) as UiMessage
    if ('event' in message) {
      // Listeners are stored under the event whose arguments they take.
      for (const listener of this.#listeners.get(message.event) ?? []) listener(...(message.args as never[]))
      return
    }
    this.#pending.get(message.id)?.resolve(message.result)
    this.#pending.delete(message.id)
  }

  #on(event: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return () => listeners.delete(listener)
  }
}

function lost(call: string): WireError {
  const { connectionLost, connectionLostHint } = strings.errors
  return { code: 'IO_ERROR', message: connectionLost(call), hint: connectionLostHint }
}

function notConnected(call: string): WireError {
  const { notConnected: message, notConnectedHint } = strings.errors
  return { code: 'IO_ERROR', message: message(call), hint: notConnectedHint }
}
