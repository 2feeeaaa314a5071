import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AppError } from '../shared/errors'
import { errorBody, Refusal } from './refusal'

/** A client that still sends while it is refused may finish this much, so that it can read why. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024
const MAX_DISCARD_MS = 2000

/** On every answer: nothing of ours is to be sniffed, framed, cached or told to other sites. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store'
} as const

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
}

/** Answers with the error, and reads off a bounded rest of a body that nobody wants. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: AppError): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const body = Buffer.from(JSON.stringify(errorBody(error.toWire())))
  sendBody(request, response, { error, body, contentType: 'application/json; charset=utf-8' })
}

export function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  { error, body, contentType }: { error: AppError; body: Buffer; contentType: string }
): void {
  const headers = error instanceof Refusal ? error.headers : {}
  const isUnread = !request.complete
  response.writeHead(error.status, {
    ...headers,
    'content-type': contentType,
    'content-length': body.length,
    ...(isUnread ? { connection: 'close' } : {})
  })
  if (!isUnread) response.end(body)
  else discardRest(request, response, body)
}

// Closing at once would reset the connection and take the answer with it, so the rest is read off first, up to a bound.
function discardRest(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  let discardedBytes = 0
  const finish = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(finish, MAX_DISCARD_MS)
  response.write(body)
  request.on('data', (chunk: Buffer) => {
    discardedBytes += chunk.length
    if (discardedBytes > MAX_DISCARDED_BYTES) finish()
  })
  request.on('close', finish)
  request.on('end', finish)
  request.resume()
}

/** The same answer for a WebSocket upgrade that is refused: there is only a bare socket yet. */
export function refuseUpgrade(socket: Duplex, error: AppError): void {
  const body = JSON.stringify(errorBody(error.toWire()))
  const headers = {
    ...SECURITY_HEADERS,
    ...(error instanceof Refusal ? error.headers : {}),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close'
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${error.status} Refused\r\n${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
