import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Logger } from '../core/log'
import type { Handlers, UiMessage } from '../shared/ipc'
import { CLOSE_CODE } from '../shared/wire'
import { queryFields } from './fields'
import { JsonShape } from './jsonShape'
import { watchLiveness } from './liveness'
import type { OpenConnections } from './openConnections'
import type { SocketRoute } from './routes'
import { followUiEvents, type UiEventSources } from './uiEvents'
import { answerUiCall } from './uiHandlers'

const MAX_MESSAGE_BYTES = 1024 * 1024
/** A window asks a few things at a time; beyond this it is not read until answers have gone out. */
const MAX_PENDING_CALLS = 32
/** A window that takes nothing any more is let go; a new connection asks again for everything. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024

const requestSchema = z.strictObject({
  id: z.number().int().nonnegative(),
  call: z.string(),
  args: z.array(z.unknown()).max(16)
})

interface UiSocketParts extends UiEventSources {
  handlers: Handlers
  connections: OpenConnections
  log: Logger
}

/** `/ui`: the window's contract for a browser, as JSON over a WebSocket. */
export function uiSocketRoute(parts: UiSocketParts): SocketRoute {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES })
  const noQuery = z.strictObject({})
  return {
    method: 'GET',
    path: '/ui',
    auth: ['cookie'],
    summary: 'The window’s calls and events',
    upgrade(exchange) {
      queryFields(exchange, noQuery)
      server.handleUpgrade(exchange.request, exchange.socket, exchange.head, (socket) => serveWindow(socket, parts))
    }
  }
}

function serveWindow(socket: WebSocket, parts: UiSocketParts): void {
  const { handlers, connections, log } = parts
  let pendingCalls = 0
  const send = (message: UiMessage) => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) return socket.terminate()
    socket.send(JSON.stringify(message))
  }
  const answer = async (data: RawData) => {
    const request = parseRequest(data)
    if (!request) return socket.close(CLOSE_CODE.policy, 'Not a request {id, call, args}')
    pendingCalls += 1
    if (pendingCalls >= MAX_PENDING_CALLS) socket.pause()
    const result = await answerUiCall(handlers, request, log)
    pendingCalls -= 1
    if (pendingCalls < MAX_PENDING_CALLS) socket.resume()
    send({ id: request.id, result })
  }
  const stopListening = followUiEvents(parts, (event, ...args) => send({ event, args }))
  const forget = connections.track('owner', () => socket.close(CLOSE_CODE.goingAway))
  socket.on('message', (data) => {
    answer(data).catch((err: unknown) => log.error({ err }, 'a call could not be answered'))
  })
  socket.on('error', (err) => log.debug({ err }, 'ui socket'))
  socket.once('close', () => {
    stopListening()
    forget()
  })
  watchLiveness(socket)
}

function parseRequest(data: RawData): z.infer<typeof requestSchema> | undefined {
  const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)])
  if (!new JsonShape().isUsableWith(bytes)) return undefined
  try {
    const parsed = requestSchema.safeParse(JSON.parse(bytes.toString('utf8')))
    return parsed.success ? parsed.data : undefined
  } catch (failure) {
    if (failure instanceof SyntaxError) return undefined
    throw failure
  }
}
