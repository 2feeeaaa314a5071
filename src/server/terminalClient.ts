import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Size } from '../shared/terminal'
import { CLIENT_FRAME, CLOSE_CODE, SERVER_FRAME, TTY_SUBPROTOCOL } from '../shared/wire'

const GOODBYE_LIMIT_MS = 1000
/** What a socket that ended without a word says of itself. */
const ABNORMAL = 1006

/** A snapshot begins with it, whose bytes do not count. */
const RESET = Buffer.from('\x1bc')

const preferencesSchema = z.object({ tandem: z.object({ offset: z.number().int().nonnegative() }) })

/** How a connection ended: the program's end, or anything else with the reason the host gave. */
export type ConnectionEnd =
  | { kind: 'ended' }
  | { kind: 'refused'; status: number }
  | { kind: 'lost'; code: number; reason: string }

export interface TerminalTarget {
  wsUrl: string
  token: string
  tmuxSession: string
  size: Size
  /** Go on here, if the host still has what followed. */
  from?: number | undefined
}

export interface TerminalConnection {
  /** Of the byte that comes next; undefined while it is not known. */
  readonly offset: number | undefined
  send(bytes: Uint8Array): void
  resize(size: Size): void
  close(): void
}

export interface ConnectionEvents {
  opened(connection: TerminalConnection): void
  output(bytes: Buffer): void
  ended(end: ConnectionEnd): void
}

/** The client's end of `/ws`, for commands of the same user: what `tandem attach` speaks. */
export function connectTerminal(target: TerminalTarget, events: ConnectionEvents): TerminalConnection {
  const socket = new WebSocket(addressOf(target), [TTY_SUBPROTOCOL], {
    headers: { authorization: `Bearer ${target.token}`, 'user-agent': 'tandem-attach' }
  })
  const connection = new Connection(socket)
  let end: ConnectionEnd | undefined
  socket.on('open', () => {
    socket.send(describe(target.size))
    events.opened(connection)
  })
  socket.on('message', (frame: Buffer) => {
    const output = connection.received(frame)
    if (output) events.output(output)
  })
  socket.on('unexpected-response', (_request, response) => {
    end = { kind: 'refused', status: response.statusCode ?? 0 }
    socket.terminate()
  })
  socket.on('error', (failure) => {
    end ??= { kind: 'lost', code: ABNORMAL, reason: failure.message }
  })
  socket.on('close', (code, reason) => {
    end ??= code === CLOSE_CODE.programEnded ? { kind: 'ended' } : { kind: 'lost', code, reason: reason.toString() }
    events.ended(end)
  })
  return connection
}

class Connection implements TerminalConnection {
  readonly #socket: WebSocket
  #offset: number | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  get offset(): number | undefined {
    return this.#offset
  }

  send(bytes: Uint8Array): void {
    this.#socket.send(Buffer.concat([Buffer.of(CLIENT_FRAME.input), bytes]))
  }

  resize(size: Size): void {
    this.#socket.send(String.fromCharCode(CLIENT_FRAME.resize) + describe(size))
  }

  close(): void {
    this.#socket.close()
    // A host that hangs says no goodbye, and nobody waits for it.
    setTimeout(() => this.#socket.terminate(), GOODBYE_LIMIT_MS).unref()
  }

  /** Keeps count; returns what the frame shows. */
  received(frame: Buffer): Buffer | undefined {
    const payload = frame.subarray(1)
    if (frame[0] === SERVER_FRAME.preferences) this.#offset = offsetIn(payload)
    if (frame[0] !== SERVER_FRAME.output) return undefined
    // What follows a snapshot is told after it; until then a lost connection cannot be gone on with.
    if (payload.subarray(0, RESET.length).equals(RESET)) this.#offset = undefined
    else if (this.#offset !== undefined) this.#offset += payload.length
    return payload
  }
}

function addressOf({ wsUrl, tmuxSession, from }: TerminalTarget): string {
  const query = new URLSearchParams({ arg: tmuxSession, ...(from === undefined ? {} : { from: String(from) }) })
  return `${wsUrl}?${query}`
}

function offsetIn(preferences: Buffer): number | undefined {
  try {
    return preferencesSchema.safeParse(JSON.parse(preferences.toString())).data?.tandem.offset
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}

function describe({ cols, rows }: Size): string {
  return JSON.stringify({ columns: cols, rows })
}
