import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../core/log'
import { AppError } from '../shared/errors'
import type { Guard } from './guard'
import { KeptConnections } from './keptConnections'
import { readBody } from './readBody'
import { Refusal } from './refusal'
import { refuseUpgrade, SECURITY_HEADERS, sendError } from './respond'
import type { HttpRoute } from './routes'
import { signInPage } from './signInPage'
import { strings } from './strings'

/** How long connections may take to say goodbye before they are cut. */
const CLOSE_GRACE_MS = 300

/**
 * Takes every request and upgrade of the HTTP server through the guard to its route, and turns what is thrown on the
 * way into an answer. Returns how to stop accepting and let go of all connections.
 */
export function attachReception(server: Server, guard: () => Guard | undefined, log: Logger): () => Promise<void> {
  const sockets = new Set<Duplex>()
  const kept = new KeptConnections()
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    kept.begin(response)
    receive(request, response, { guard: guard(), kept }).catch((thrown: unknown) =>
      refuse({ request, response, thrown, log })
    )
  }
  server.on('request', onRequest)
  server.on('checkContinue', onRequest)
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // A reset before the decision must not bring the host down.
    socket.on('error', (err) => log.debug({ err }, 'upgrade socket'))
    upgrade(request, socket, { head, guard: guard(), log })
  })
  server.on('clientError', (failure: NodeJS.ErrnoException, socket) => answerGarbage(failure, socket))
  return () => {
    kept.close()
    return closeAll(server, sockets)
  }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { guard, kept }: { guard: Guard | undefined; kept: KeptConnections }
): Promise<void> {
  request.on('error', () => response.destroy())
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
  const { route, ...exchange } = admit(guard, request, false)
  if (exchange.visitor) kept.admitted(response)
  if ('upgrade' in route)
    throw new Refusal('INVALID_ARGUMENTS', 'This is a WebSocket', { hint: strings.openAsWebSocket })
  await route.serve({ ...exchange, response, body: await bodyFor(route, request, response) })
}

async function bodyFor(route: HttpRoute, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  try {
    const body = await readBody(request, response)
    if (route.speaksJsonRpc && request.method === 'POST' && body === undefined)
      throw new Refusal('INVALID_ARGUMENTS', 'The body is empty')
    return body
  } catch (thrown) {
    const isUnparsable = thrown instanceof Refusal && thrown.status === 400
    throw route.speaksJsonRpc && isUnparsable ? new RpcParseError(thrown.message) : thrown
  }
}

/** A body that is no JSON, told in the language of the endpoint. */
class RpcParseError extends Error {}

async function refuse({
  request,
  response,
  thrown,
  log
}: {
  request: IncomingMessage
  response: ServerResponse
  thrown: unknown
  log: Logger
}): Promise<void> {
  // Nobody is there any more to be told.
  if (response.destroyed) return
  if (thrown instanceof RpcParseError) {
    const error = { code: -32_700, message: `Parse error: ${thrown.message}` }
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    response.writeHead(400, headers).end(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
    return
  }
  const error = AppError.from(thrown)
  if (error.code === 'INTERNAL') log.error({ err: thrown }, 'request failed')
  if (error instanceof Refusal && error.delayMs > 0) await wait(error.delayMs)
  const isPage = request.method === 'GET' && /^\/(\?|$)/.test(request.url ?? '')
  if (error.status === 401 && isPage) signInPage(request, response)
  else sendError(request, response, error)
}

function upgrade(
  request: IncomingMessage,
  socket: Duplex,
  { head, guard, log }: { head: Buffer; guard: Guard | undefined; log: Logger }
): void {
  try {
    const { route, ...exchange } = admit(guard, request, true)
    if (!('upgrade' in route)) throw new Refusal('INVALID_ARGUMENTS', 'This is not a WebSocket')
    route.upgrade({ ...exchange, socket, head })
  } catch (thrown) {
    const error = AppError.from(thrown)
    if (error.code === 'INTERNAL') log.error({ err: thrown }, 'upgrade failed')
    const delayMs = error instanceof Refusal ? error.delayMs : 0
    setTimeout(() => refuseUpgrade(socket, error), delayMs)
  }
}

// Between binding and opening the doors a request may already be there.
function admit(guard: Guard | undefined, request: IncomingMessage, isUpgrade: boolean) {
  if (!guard) throw new AppError('INTERNAL', 'The host is still starting', 'Try again in a moment.')
  return guard.admit(request, { isUpgrade })
}

function answerGarbage(failure: NodeJS.ErrnoException, socket: Duplex): void {
  if (failure.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const isTooLarge = failure.code === 'HPE_HEADER_OVERFLOW'
  const isTimeout = failure.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const status = isTooLarge ? 431 : isTimeout ? 408 : 400
  refuseUpgrade(socket, new Refusal('INVALID_ARGUMENTS', 'This is not a usable HTTP request', { status }))
}

async function closeAll(server: Server, sockets: ReadonlySet<Duplex>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => {
    server.closeAllConnections()
    for (const socket of sockets) socket.destroy()
  }, CLOSE_GRACE_MS)
  await closed
  clearTimeout(timer)
}
