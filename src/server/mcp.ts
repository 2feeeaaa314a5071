import { randomUUID } from 'node:crypto'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpHttpHandler,
  mergeCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type ServerOptions,
  WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server'
import type { Tool } from '../core/tools/defineTool'
import type { Caller } from '../shared/access'
import { AppError } from '../shared/errors'
import { type AnswerParts, McpAnswers, type ToolCall } from './mcpAnswers'
import { callerIn, callerOf } from './mcpCaller'
import { mcpCapabilities } from './mcpCapabilities'
import { asRead, onlyPost, promptResponse, releasedAtEnd, rpcError } from './mcpHttp'
import { isListenRequest, listenedUris, listeningClient, withUris } from './mcpListen'
import { McpSessions } from './mcpSessions'
import { McpUpdates } from './mcpUpdates'
import { authInfoOf, Visit, visitIn } from './mcpVisit'
import type { HttpExchange } from './routes'
import { mcpInstructions } from './strings'
import { bridgeOf, visitorOf } from './visitors'

/** The tool list changes only with a new version of the host. */
const LIST_TTL_MS = 5 * 60 * 1000
const SESSION_NOT_FOUND = -32_001
const BAD_REQUEST = -32_000

/** What a door offers besides Tandem's own, for whoever builds a host with more in it. */
export interface McpExtension {
  options: ServerOptions
  /** Adds handlers to one protocol server, or replaces them by others that ask Tandem's own. */
  setUp(server: Server, own: OwnHandlers): void
}

export interface McpParts extends AnswerParts {
  version: string
  extension?: McpExtension | undefined
}

export interface McpDoor {
  /** Serves one request with the tools it may see. */
  serve(exchange: HttpExchange, tools: readonly Tool[]): Promise<void>
  /** Ends the sessions of a token that was revoked. */
  endSessionsOf(tokenName: string): void
  close(): Promise<void>
}

/** Speaks MCP of both eras for a list of tools; knows nothing about what they do. */
export function createMcpDoor(parts: McpParts): McpDoor {
  const door = new Door(parts)
  const onerror = (err: Error) => parts.log.error({ err }, 'mcp request failed')
  const handle = toNodeHandler({ fetch: (request, options = {}) => door.fetch(request, options) }, { onerror })
  return {
    async serve(exchange, tools) {
      const { request, response, body } = exchange
      if (request.method !== 'POST' && request.headers['mcp-session-id'] === undefined) throw onlyPost(request.method)
      const auth = authInfoOf(new Visit(visitorOf(exchange).access, tools, bridgeOf(exchange), response))
      await handle({ ...asRead(request), auth }, promptResponse(response), body)
    },
    endSessionsOf: (tokenName) => door.endSessionsOf(tokenName),
    close: () => door.close()
  }
}

class Door {
  readonly #parts: McpParts
  readonly #answers: McpAnswers
  readonly #sessions = new McpSessions<WebStandardStreamableHTTPServerTransport>()
  readonly #modern: McpHttpHandler
  readonly #listening = new Set<McpHttpHandler>()
  /** The request that holds a session's own stream open, where its news goes. */
  readonly #streams = new WeakMap<WebStandardStreamableHTTPServerTransport, Visit>()

  constructor(parts: McpParts) {
    this.#parts = parts
    this.#answers = new McpAnswers(parts)
    this.#modern = this.#newHandler()
  }

  async fetch(request: Request, options: McpHandlerRequestOptions): Promise<Response> {
    if (await isLegacyRequest(request, options.parsedBody)) return this.#legacy(request, options)
    if (isListenRequest(options.parsedBody)) return this.#listen(request, options)
    return this.#modern.fetch(request, options)
  }

  endSessionsOf(tokenName: string): void {
    this.#sessions.endOf(tokenName)
  }

  async close(): Promise<void> {
    this.#sessions.close()
    await Promise.all([this.#modern, ...this.#listening].map((handler) => handler.close()))
  }

  /** A stream of news has a handler of its own: what one client may follow is never published to another. */
  async #listen(request: Request, options: McpHandlerRequestOptions): Promise<Response> {
    const handler = this.#newHandler()
    const visit = visitIn(options.authInfo)
    const caller = callerOf(listeningClient(options.parsedBody), visit)
    const updates = new McpUpdates(this.#answers.resources, {
      updated: (uri) => handler.notify.resourceUpdated(uri),
      isBehind: () => visit.isBehind,
      emptied: () => void handler.close()
    })
    const followed: string[] = []
    for (const uri of listenedUris(options.parsedBody))
      if (await this.#mayFollow(updates, caller, uri)) followed.push(uri)
    this.#listening.add(handler)
    const parsedBody = withUris(options.parsedBody, followed)
    return releasedAtEnd(await handler.fetch(request, { ...options, parsedBody }), () => {
      updates.close()
      this.#listening.delete(handler)
    })
  }

  async #mayFollow(updates: McpUpdates, caller: Caller, uri: string): Promise<boolean> {
    try {
      await follow(updates, caller, uri)
      return true
    } catch (thrown) {
      // The acknowledgement says what is followed: what is not there for this client is left out of it.
      if (thrown instanceof ProtocolError) return false
      throw thrown
    }
  }

  /** 2025-era clients: a session begins with `initialize` and is known by its id from then on. */
  async #legacy(request: Request, options: McpHandlerRequestOptions): Promise<Response> {
    const visit = visitIn(options.authInfo)
    const id = request.headers.get('mcp-session-id')
    if (id === null) {
      if (!isInitializeRequest(options.parsedBody)) {
        return rpcError(400, BAD_REQUEST, 'Begin with initialize, then send its Mcp-Session-Id')
      }
      return (await this.#openSession(visit)).handleRequest(request, options)
    }
    const session = this.#sessions.use(id, visit.access.name)
    if (!session) return rpcError(404, SESSION_NOT_FOUND, 'Session not found; initialize again')
    if (request.method === 'GET') this.#streams.set(session.peer, visit)
    return releasedAtEnd(await session.peer.handleRequest(request, options), session.release)
  }

  async #openSession({ access }: Visit): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#sessions.add({ id, tokenName: access.name, peer: transport }),
      onsessionclosed: (id) => this.#sessions.forget(id)
    })
    const isBehind = () => this.#streams.get(transport)?.isBehind ?? false
    const server = this.#newServer((prepared) => this.#followFor(prepared, isBehind))
    await server.connect(transport)
    return transport
  }

  /** Lets a session follow resources: what it follows ends with it. */
  #followFor(server: Server, isBehind: () => boolean): void {
    const updates = new McpUpdates(this.#answers.resources, {
      isBehind,
      updated: (uri) => {
        server.sendResourceUpdated({ uri }).catch((err: unknown) => this.#parts.log.debug({ err }, 'mcp update'))
      }
    })
    server.onclose = () => updates.close()
    server.setRequestHandler('resources/subscribe', async ({ params }, context) => {
      await follow(updates, callerIn(server, context), params.uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      updates.unfollow(params.uri)
      return {}
    })
  }

  #newHandler(): McpHttpHandler {
    const onerror = (err: Error) => this.#parts.log.debug({ err }, 'mcp')
    return createMcpHandler(() => this.#newServer(), { legacy: 'reject', onerror })
  }

  #newServer(prepare?: (server: Server) => void): Server {
    const { version, extension } = this.#parts
    const cacheHint = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const
    const server = new Server(
      { name: 'tandem', title: 'Tandem', version },
      {
        instructions: mcpInstructions,
        cacheHints: { 'tools/list': cacheHint, 'server/discover': cacheHint, 'resources/templates/list': cacheHint },
        ...extension?.options,
        capabilities: mergeCapabilities(mcpCapabilities, extension?.options.capabilities ?? {})
      }
    )
    const own = ownHandlers(server, this.#answers)
    answerWith(server, own)
    prepare?.(server)
    extension?.setUp(server, own)
    return server
  }
}

export type OwnHandlers = ReturnType<typeof ownHandlers>

/** How Tandem answers one client. */
function ownHandlers(server: Server, answers: McpAnswers) {
  const noted = <T>(context: ServerContext, answer: () => Promise<T>, uri?: string) =>
    spoken(answer, uri).finally(answers.arrive(server, context))
  return {
    listTools(context: ServerContext) {
      answers.arrive(server, context)()
      return answers.listTools(context)
    },
    callTool: (params: ToolCall['params'], context: ServerContext) =>
      noted(context, () => answers.callTool({ server, params, context })),
    listResources: (context: ServerContext) => noted(context, () => answers.listResources(context)),
    listTemplates: () => answers.listTemplates(),
    readResource: (uri: string, context: ServerContext) =>
      noted(context, () => answers.readResource(uri, callerIn(server, context)), uri)
  }
}

function answerWith(server: Server, own: OwnHandlers): void {
  server.setRequestHandler('tools/list', (_, context) => own.listTools(context))
  server.setRequestHandler('tools/call', ({ params }, context) => own.callTool(params, context))
  server.setRequestHandler('resources/list', (_, context) => own.listResources(context))
  server.setRequestHandler('resources/templates/list', () => own.listTemplates())
  server.setRequestHandler('resources/read', ({ params }, context) => own.readResource(params.uri, context))
}

async function follow(updates: McpUpdates, caller: Caller, uri: string): Promise<void> {
  if (updates.isFull) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Too many resources are followed')
  await spoken(() => updates.follow(caller, uri), uri)
}

/** A failure in the protocol's own words. */
async function spoken<T>(answer: () => Promise<T>, uri?: string): Promise<T> {
  try {
    return await answer()
  } catch (thrown) {
    const { code, message } = AppError.from(thrown)
    if (code === 'NOT_FOUND' && uri !== undefined) throw new ResourceNotFoundError(uri, message)
    if (code === 'NOT_FOUND') throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
    if (code === 'INTERNAL') throw thrown
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${code}: ${message}`)
  }
}
