import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Audit } from '../core/data/audit'
import type { Tokens } from '../core/data/tokens'
import type { Logger } from '../core/log'
import type { Terminal } from '../core/terminal/terminal'
import type { Viewer } from '../core/terminal/viewer'
import type { Workspaces } from '../core/workspace/workspaces'
import type { Access } from '../shared/access'
import { AppError } from '../shared/errors'
import type { Size } from '../shared/terminal'
import { CLOSE_CODE, TTY_SUBPROTOCOL } from '../shared/wire'
import { parsed, queryFields } from './fields'
import { watchLiveness } from './liveness'
import type { OpenConnections } from './openConnections'
import { MAX_BODY_BYTES } from './readBody'
import { Refusal } from './refusal'
import type { SocketExchange, SocketRoute } from './routes'
import { decodeFrame, decodeHello } from './terminalFrames'
import { TerminalSink } from './terminalSink'
import { clientNameOf, visitorOf } from './visitors'

const HELLO_TIMEOUT_MS = 10_000
/** Above this the client is not read until the terminal has taken what it sent. */
const MAX_PENDING_INPUT_BYTES = 1024 * 1024

const querySchema = z.strictObject({
  arg: z.string().min(1),
  from: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
  /** `1`: the visible screen may come first, as a snapshot of its own, and the whole with its history after it. */
  preview: z.literal('1').optional(),
  token: z.string().optional()
})

export interface TerminalSocketParts {
  workspaces: Workspaces
  tokens: Tokens
  connections: OpenConnections
  audit: Audit
  log: Logger
}

/** `/ws`: ttyd's protocol in front of a terminal. */
export function terminalSocketRoute(parts: TerminalSocketParts): SocketRoute {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_BODY_BYTES,
    handleProtocols: (offered) => (offered.has(TTY_SUBPROTOCOL) ? TTY_SUBPROTOCOL : false)
  })
  return {
    method: 'GET',
    path: '/ws',
    auth: ['bearer', 'cookie', 'query'],
    summary: "A terminal's bytes, ttyd's protocol",
    query: querySchema,
    upgrade(exchange) {
      const watch = watchOf(parts, exchange)
      server.handleUpgrade(exchange.request, exchange.socket, exchange.head, (socket) => {
        new TerminalSocket(socket, { ...parts, ...watch })
      })
    }
  }
}

interface Watch {
  access: Access
  clientName: string
  terminal: Terminal
  from: number | undefined
  wantsPreview: boolean
}

function watchOf({ workspaces }: TerminalSocketParts, exchange: SocketExchange): Watch {
  const { access } = visitorOf(exchange)
  const { arg, from, preview } = parsed(querySchema, queryFields(exchange, querySchema))
  if (!access.scopes.includes('read')) {
    throw new Refusal('UNAUTHORIZED', `Token "${access.name}" may not read`, { hint: 'Use one with the scope "read".' })
  }
  const terminal = workspaces.terminal(access, arg)
  const clientName = clientNameOf(exchange)
  const offset = from === undefined ? undefined : Number(from)
  return { access, clientName, terminal, from: offset, wantsPreview: preview === '1' }
}

/** One client of one terminal. It says hello first; then its keys go in and the terminal's bytes come out. */
class TerminalSocket {
  readonly #socket: WebSocket
  readonly #parts: TerminalSocketParts & Watch
  readonly #sink: TerminalSink
  readonly #helloTimer: NodeJS.Timeout
  #viewer: Viewer | undefined
  #pendingInputBytes = 0

  constructor(socket: WebSocket, parts: TerminalSocketParts & Watch) {
    this.#socket = socket
    this.#parts = parts
    this.#sink = new TerminalSink(socket)
    this.#helloTimer = setTimeout(() => this.#refuse('No first frame came'), HELLO_TIMEOUT_MS)
    const forget = parts.connections.track(parts.access.name, (reason) =>
      socket.close(reason === 'revoked' ? CLOSE_CODE.policy : CLOSE_CODE.goingAway, reason)
    )
    socket.on('message', (data) => this.#received(data))
    socket.on('error', (err) => parts.log.debug({ err }, 'terminal socket'))
    socket.once('close', () => {
      clearTimeout(this.#helloTimer)
      forget()
      this.#viewer?.close()
      if (this.#viewer) this.#leaveTrace('detach')
    })
    watchLiveness(socket)
  }

  #received(data: RawData): void {
    const frame = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)])
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (!this.#viewer) this.#hello(frame)
    else this.#obey(this.#viewer, frame)
  }

  #hello(frame: Buffer): void {
    clearTimeout(this.#helloTimer)
    const { tokens, access, terminal, from, wantsPreview } = this.#parts
    const hello = decodeHello(frame)
    if (!hello) this.#refuse('The first frame must be JSON {AuthToken, columns, rows}')
    else if (hello.authToken !== '' && tokens.verify(hello.authToken)?.name !== access.name) {
      this.#refuse('AuthToken does not match')
    } else {
      const size = this.#mayType ? hello.size : undefined
      this.#viewer = terminal.view(this.#sink, { from, size, wantsPreview })
      this.#leaveTrace('attach')
    }
  }

  /** Who could type here, and when; those who only look leave no trace. */
  #leaveTrace(action: 'attach' | 'detach'): void {
    const { access, clientName, terminal, workspaces, audit } = this.#parts
    if (!this.#mayType) return
    const { project, session, name } = workspaces.placeOf(terminal.id) ?? { name: '' }
    const place = project === undefined || session === undefined ? {} : { project, session }
    const actor = { token: access.name, client: clientName }
    audit.record({ actor, action, terminal: { id: terminal.id, name }, ...place, outcome: 'OK' })
  }

  #obey(viewer: Viewer, bytes: Buffer): void {
    const frame = decodeFrame(bytes)
    if (!frame) this.#refuse('The frame is none of the protocol')
    else if (frame.kind === 'input') this.#input(viewer, frame.bytes)
    else if (frame.kind === 'resize') this.#resize(viewer, frame.size)
    else if (frame.kind === 'pause') this.#sink.pause()
    else if (frame.kind === 'resume') this.#sink.resume()
  }

  /** Programs hear of a new size and draw anew: whoever only looks takes the size there is. */
  #resize(viewer: Viewer, size: Size | undefined): void {
    if (size && this.#mayType) viewer.resize(size)
  }

  get #mayType(): boolean {
    return this.#parts.access.scopes.includes('type')
  }

  #input(viewer: Viewer, bytes: Buffer): void {
    if (!this.#mayType) this.#refuse(`Token "${this.#parts.access.name}" may not type`)
    else if (bytes.length > 0) this.#type(viewer, bytes)
  }

  #type(viewer: Viewer, bytes: Buffer): void {
    this.#pendingInputBytes += bytes.length
    if (this.#pendingInputBytes > MAX_PENDING_INPUT_BYTES) this.#socket.pause()
    viewer
      .input(bytes, { kind: 'person', name: this.#parts.access.name })
      .catch((thrown: unknown) => this.#inputFailed(AppError.from(thrown)))
      .finally(() => {
        this.#pendingInputBytes -= bytes.length
        if (this.#pendingInputBytes <= MAX_PENDING_INPUT_BYTES) this.#socket.resume()
      })
  }

  // A key pressed while the program ends is normal: the close that follows says so.
  #inputFailed(error: AppError): void {
    if (error.code === 'PROCESS_EXITED') return
    this.#parts.log.warn({ code: error.code, err: error }, 'input failed')
    this.#socket.close(CLOSE_CODE.internal, error.code)
  }

  #refuse(reason: string): void {
    this.#socket.close(CLOSE_CODE.policy, reason.slice(0, 100))
  }
}
