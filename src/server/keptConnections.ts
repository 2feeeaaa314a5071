import type { ServerResponse } from 'node:http'

/** What clients are told: how long they may count on an idle connection. */
export const ADVISED_IDLE_MS = 5000
/**
 * Longer than any client we know keeps one (Go and Rust: 90 s): a connection is never closed in the moment it is used
 * again, which a client can only report as a call that may have been done.
 */
const VISITOR_IDLE_MS = 100_000
/** Connections are few; strangers get what they were told, and a little for clocks that are late. */
const STRANGER_IDLE_MS = 2 * ADVISED_IDLE_MS

/** Connections between two requests: kept for longer than clients are told, and never past the end of the host. */
export class KeptConnections {
  readonly #answering = new Set<ServerResponse>()
  #isClosing = false

  /** An answer begins; the connection it goes out on is kept as a stranger's. */
  begin(response: ServerResponse): void {
    this.#answering.add(response)
    response.once('close', () => this.#answering.delete(response))
    if (this.#isClosing) sayLast(response)
    keepAfter(response, STRANGER_IDLE_MS)
  }

  /** Whoever asked has been let in. */
  admitted(response: ServerResponse): void {
    keepAfter(response, VISITOR_IDLE_MS)
  }

  /** From now on every answer is the last on its connection, and says so. */
  close(): void {
    this.#isClosing = true
    for (const response of this.#answering) sayLast(response)
  }
}

// Node's own listener, which was there before, has set the time that clients were told.
function keepAfter(response: ServerResponse, idleMs: number): void {
  response.once('finish', () => response.req.socket.setTimeout(idleMs))
}

function sayLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}
