import { WebSocket } from 'ws'
import type { Size } from '../shared/terminal'
import { CLIENT_FRAME, CLOSE_CODE, SERVER_FRAME, TTY_SUBPROTOCOL } from '../shared/wire'

const GOODBYE_LIMIT_MS = 1000

/** How a connection ended: the program's end, or anything else with the reason the host gave. */
export type ConnectionEnd = { kind: 'ended' } | { kind: 'refused'; status: number } | { kind: 'lost'; reason: string }

export interface TerminalConnection {
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
export function connectTerminal(
  target: { wsUrl: string; token: string; tmuxSession: string; size: Size },
  events: ConnectionEvents
): TerminalConnection {
  const socket = new WebSocket(`${target.wsUrl}?arg=${encodeURIComponent(target.tmuxSession)}`, [TTY_SUBPROTOCOL], {
    headers: { authorization: `Bearer ${target.token}`, 'user-agent': 'tandem-attach' }
  })
  const connection = {
    send: (bytes: Uint8Array) => socket.send(Buffer.concat([Buffer.of(CLIENT_FRAME.input), bytes])),
    resize: (size: Size) => socket.send(String.fromCharCode(CLIENT_FRAME.resize) + describe(size)),
    close: () => {
      socket.close()
      // A host that hangs says no goodbye, and nobody waits for it.
      setTimeout(() => socket.terminate(), GOODBYE_LIMIT_MS).unref()
    }
  }
  let end: ConnectionEnd | undefined
  socket.on('open', () => {
    socket.send(describe(target.size))
    events.opened(connection)
  })
  socket.on('message', (frame: Buffer) => {
    if (frame[0] === SERVER_FRAME.output) events.output(frame.subarray(1))
  })
  socket.on('unexpected-response', (_request, response) => {
    end = { kind: 'refused', status: response.statusCode ?? 0 }
    socket.terminate()
  })
  socket.on('error', (failure) => {
    end ??= { kind: 'lost', reason: failure.message }
  })
  socket.on('close', (code, reason) => {
    end ??= code === CLOSE_CODE.programEnded ? { kind: 'ended' } : { kind: 'lost', reason: reason.toString() }
    events.ended(end)
  })
  return connection
}

function describe({ cols, rows }: Size): string {
  return JSON.stringify({ columns: cols, rows })
}
