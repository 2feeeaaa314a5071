import { WebSocket } from 'ws'
import { AppError, type Result } from '../shared/errors'
import type { Calls, Events, UiMessage, UiRequest } from '../shared/ipc'

/** What a client of another host wants to hear. */
export type UiListener = Partial<Events>

/** The client's end of `/ui`, for a process of the same user: what a window's page speaks. */
export class UiClient {
  readonly #socket: WebSocket
  readonly #pending = new Map<number, (result: Result<unknown>) => void>()
  #listener: UiListener = {}
  #lastId = 0

  private constructor(socket: WebSocket, closed: () => void) {
    this.#socket = socket
    socket.on('message', (data) => this.#received(JSON.parse(data.toString()) as UiMessage))
    socket.once('close', () => {
      const error = new AppError('HOST_UNAVAILABLE', 'The host is gone').toWire()
      for (const answer of this.#pending.values()) answer({ ok: false, error })
      closed()
    })
  }

  /** Signs in with a one-time address, as a browser does. `closed` is called once, when the line is gone. */
  static async open(openUrl: string, closed: () => void): Promise<UiClient> {
    const { origin } = new URL(openUrl)
    const signedIn = await fetch(openUrl, { redirect: 'manual' })
    await signedIn.body?.cancel()
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/ui`, { headers: { cookie, origin } })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    // An end is told by `close`, with or without a failure before it.
    socket.on('error', () => undefined)
    return new UiClient(socket, closed)
  }

  listen(listener: UiListener): void {
    this.#listener = listener
  }

  async call<K extends keyof Calls>(call: K, ...args: Parameters<Calls[K]>): Promise<ReturnType<Calls[K]>> {
    const id = ++this.#lastId
    const result = await new Promise<Result<unknown>>((resolve) => {
      this.#pending.set(id, resolve)
      this.#socket.send(JSON.stringify({ id, call, args } satisfies UiRequest))
    })
    if (!result.ok) throw new AppError(result.error.code, result.error.message, result.error.hint)
    // The host answers each call as the one contract declares it.
    return result.value as ReturnType<Calls[K]>
  }

  close(): void {
    this.#socket.terminate()
  }

  #received(message: UiMessage): void {
    if ('event' in message) {
      const heard = this.#listener[message.event as keyof Events] as ((...args: unknown[]) => void) | undefined
      heard?.(...message.args)
      return
    }
    this.#pending.get(message.id)?.(message.result)
    this.#pending.delete(message.id)
  }
}
