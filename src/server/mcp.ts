import { randomUUID } from 'node:crypto'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  type AuthInfo,
  type CallToolRequest,
  type CallToolResult,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server'
import type { Audit } from '../core/data/audit'
import type { Logger } from '../core/log'
import { callTool } from '../core/tools/callTool'
import type { Tool } from '../core/tools/defineTool'
import type { Workspaces } from '../core/workspace/workspaces'
import type { Access } from '../shared/access'
import { AppError } from '../shared/errors'
import { asRead, onlyPost, promptResponse, releasedAtEnd, rpcError } from './mcpHttp'
import { McpSessions } from './mcpSessions'
import { describeTool, printResult, type ToolResult } from './mcpTools'
import type { HttpExchange } from './routes'
import { mcpInstructions } from './strings'
import { idempotencyKeyOf, visitorOf } from './visitors'

/** The tool list changes only with a new version of the host. */
const LIST_TTL_MS = 5 * 60 * 1000
const SESSION_NOT_FOUND = -32_001
const BAD_REQUEST = -32_000
const IDEMPOTENCY_META_KEY = 'tandem/idempotencyKey'

export interface McpParts {
  workspaces: Workspaces
  log: Logger
  audit: Audit
  version: string
  wsUrlOf(tmuxSession: string): string
}

export interface McpDoor {
  /** Serves one request with the tools it may see. */
  serve(exchange: HttpExchange, tools: readonly Tool[]): Promise<void>
  /** Ends the sessions of a token that was revoked. */
  endSessionsOf(tokenName: string): void
  close(): Promise<void>
}

/** Who asks, and what they see: handed through the SDK beside each request, so that no server outlives its rights. */
class Visit {
  constructor(
    readonly access: Access,
    readonly tools: readonly Tool[]
  ) {}
}

/** Speaks MCP of both eras for a list of tools; knows nothing about what they do. */
export function createMcpDoor(parts: McpParts): McpDoor {
  const sessions = new McpSessions<WebStandardStreamableHTTPServerTransport>()
  const onerror = (err: Error) => parts.log.debug({ err }, 'mcp')
  const modern = createMcpHandler(() => createServer(parts), { legacy: 'reject', onerror })
  const legacy = createLegacyHandler(parts, sessions)
  const fetch = async (request: Request, options: McpHandlerRequestOptions = {}) =>
    (await isLegacyRequest(request, options.parsedBody)) ? legacy(request, options) : modern.fetch(request, options)
  const handle = toNodeHandler({ fetch }, { onerror: (err) => parts.log.error({ err }, 'mcp request failed') })

  return {
    async serve(exchange, tools) {
      const { request, response, body } = exchange
      if (request.method !== 'POST' && request.headers['mcp-session-id'] === undefined) throw onlyPost(request.method)
      const auth = authInfoOf(new Visit(visitorOf(exchange).access, tools))
      await handle({ ...asRead(request), auth }, promptResponse(response), body)
    },
    endSessionsOf: (tokenName) => sessions.endOf(tokenName),
    async close() {
      sessions.close()
      await modern.close()
    }
  }
}

type FetchHandler = (request: Request, options: McpHandlerRequestOptions) => Promise<Response>

/** 2025-era clients: a session begins with `initialize` and is known by its id from then on. */
function createLegacyHandler(
  parts: McpParts,
  sessions: McpSessions<WebStandardStreamableHTTPServerTransport>
): FetchHandler {
  return async (request, options) => {
    const { name: tokenName } = visitIn(options.authInfo).access
    const id = request.headers.get('mcp-session-id')
    if (id === null) {
      if (!isInitializeRequest(options.parsedBody)) {
        return rpcError(400, BAD_REQUEST, 'Begin with initialize, then send its Mcp-Session-Id')
      }
      return (await openSession(parts, sessions, tokenName)).handleRequest(request, options)
    }
    const session = sessions.use(id, tokenName)
    if (!session) return rpcError(404, SESSION_NOT_FOUND, 'Session not found; initialize again')
    return releasedAtEnd(await session.peer.handleRequest(request, options), session.release)
  }
}

async function openSession(
  parts: McpParts,
  sessions: McpSessions<WebStandardStreamableHTTPServerTransport>,
  tokenName: string
): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.add({ id, tokenName, peer: transport }),
    onsessionclosed: (id) => sessions.forget(id)
  })
  await createServer(parts).connect(transport)
  return transport
}

function createServer(parts: McpParts): Server {
  const cacheHint = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const
  const server = new Server(
    { name: 'tandem', title: 'Tandem', version: parts.version },
    {
      capabilities: { tools: {} },
      instructions: mcpInstructions,
      cacheHints: { 'tools/list': cacheHint, 'server/discover': cacheHint }
    }
  )
  server.setRequestHandler('tools/list', (_, context) => ({
    tools: visitIn(context.http?.authInfo).tools.map(describeTool)
  }))
  server.setRequestHandler('tools/call', ({ params }, context) => call(parts, { server, params, context }))
  return server
}

interface ToolCall {
  server: Server
  params: CallToolRequest['params']
  context: ServerContext
}

async function call(parts: McpParts, { server, params, context }: ToolCall): Promise<CallToolResult> {
  const { access, tools } = visitIn(context.http?.authInfo)
  const tool = tools.find((candidate) => candidate.name === params.name)
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
  const { workspaces, wsUrlOf, log, audit } = parts
  const client = clientOf(server, context)
  const result = await keyed(context, (idempotencyKey) =>
    callTool(tool, params.arguments ?? {}, {
      log,
      audit,
      context: {
        workspaces,
        caller: { access, clientName: client.name, key: `${access.name}\n${client.key}` },
        wsUrl: wsUrlOf,
        signal: context.mcpReq.signal,
        idempotencyKey
      }
    })
  )
  return printResult(tool, result)
}

async function keyed(
  context: ServerContext,
  run: (key: string | undefined) => Promise<ToolResult>
): Promise<ToolResult> {
  try {
    return await run(idempotencyKeyOf(context.mcpReq._meta?.[IDEMPOTENCY_META_KEY]))
  } catch (thrown) {
    return { ok: false, error: AppError.from(thrown).toWire() }
  }
}

/** Self-reported: it tells callers of one token apart, and is never a right. */
function clientOf(server: Server, { sessionId }: ServerContext): { name: string; key: string } {
  const info = server.getClientVersion()
  const name = info?.name ?? 'agent'
  return { name, key: sessionId === undefined ? `${name}\n${info?.version ?? ''}` : `session\n${sessionId}` }
}

function authInfoOf(visit: Visit): AuthInfo {
  return { token: '', clientId: visit.access.name, scopes: [...visit.access.scopes], extra: { visit } }
}

function visitIn(authInfo: AuthInfo | undefined): Visit {
  const visit = authInfo?.extra?.visit
  if (visit instanceof Visit) return visit
  throw new Error('A request reached MCP without passing the guard')
}
