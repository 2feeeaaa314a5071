import { TOOLSETS, type Tool } from '../core/tools/defineTool'
import type { McpDoor } from './mcp'
import { type McpPath, selectTools, toolsetsIn } from './mcpSelection'
import type { OpenConnections } from './openConnections'
import type { HttpExchange, HttpRoute, Method } from './routes'
import { visitorOf } from './visitors'

const METHODS: readonly Method[] = ['POST', 'GET', 'DELETE']

interface McpRouteParts {
  door: McpDoor
  tools: readonly Tool[]
  connections: OpenConnections
}

/** The MCP endpoints; GET and DELETE are there for sessions of the 2025 protocols only. */
export function mcpRoutes(parts: McpRouteParts): HttpRoute[] {
  const everything = () => ({ toolsets: TOOLSETS, readOnly: false })
  return METHODS.flatMap((method) => [
    mcpRoute(parts, { method, path: '/mcp', pathOf: everything }),
    mcpRoute(parts, { method, path: '/mcp/readonly', pathOf: () => ({ ...everything(), readOnly: true }) }),
    {
      ...mcpRoute(parts, {
        method,
        path: '/mcp/x/:toolsets',
        pathOf: ({ params }) => ({ toolsets: toolsetsIn(params.toolsets ?? '') ?? [], readOnly: false })
      }),
      accepts: (params) => toolsetsIn(params.toolsets ?? '') !== undefined
    }
  ])
}

function mcpRoute(
  { door, tools, connections }: McpRouteParts,
  { method, path, pathOf }: { method: Method; path: string; pathOf(exchange: HttpExchange): McpPath }
): HttpRoute {
  return {
    method,
    path,
    auth: ['bearer'],
    summary: 'Model Context Protocol, Streamable HTTP',
    speaksJsonRpc: true,
    async serve(exchange) {
      const { request, response } = exchange
      const selected = selectTools(tools, pathOf(exchange), request.headers)
      const forget = connections.track(visitorOf(exchange).access.name, () => response.destroy())
      response.once('close', forget)
      await door.serve(exchange, selected)
    }
  }
}
