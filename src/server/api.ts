import { z } from 'zod'
import type { Audit } from '../core/data/audit'
import type { Logger } from '../core/log'
import { callTool } from '../core/tools/callTool'
import type { Tool, ToolContext } from '../core/tools/defineTool'
import type { Workspaces } from '../core/workspace/workspaces'
import { AppError } from '../shared/errors'
import { workspaceSummarySchema } from '../shared/terminal'
import { agentStateRoute } from './agentStateRoute'
import type { LinkAudience } from './browserCodes'
import { endedRoutes } from './endedRoutes'
import { bodyFields, parsed, queryFields } from './fields'
import { openApi } from './openApi'
import { auditRoute, reconcileRoute, requireLocalOwner } from './ownerDoors'
import { sendJson } from './respond'
import type { HttpExchange, HttpRoute, Method } from './routes'
import { abortedOnClose, allowed, clientNameOf, idempotencyKeyOf, visitorOf } from './visitors'

export interface ApiParts {
  tools: readonly Tool[]
  workspaces: Workspaces
  log: Logger
  audit: Audit
  version: string
  wsUrlOf(tmuxSession: string): string
  openUrl(audience?: LinkAudience): string
}

const API_AUTH = ['bearer', 'cookie'] as const
const workspaceSchema = z.strictObject({ project: z.string(), session: z.string() })
const nothing = z.strictObject({})
/** Set for a link that a command line will carry. */
const linkSchema = z.strictObject({ isForOwnUser: z.boolean().optional() })

/** The HTTP API. What a tool does is done by the tool; a literal path stands before one with a parameter. */
export function apiRoutes(parts: ApiParts): HttpRoute[] {
  const sessions = '/api/terminal/sessions'
  const workspace = ['project', 'session']
  const routes: HttpRoute[] = [
    toolRoute(parts, { method: 'GET', path: sessions, tool: 'terminal_list_sessions', query: workspace }),
    toolRoute(parts, {
      method: 'POST',
      path: sessions,
      tool: 'terminal_create_session',
      body: [...workspace, 'name']
    }),
    toolRoute(parts, {
      method: 'PUT',
      path: `${sessions}/reorder`,
      tool: 'terminal_reorder_sessions',
      query: workspace,
      body: ['orderedIds']
    }),
    toolRoute(parts, { method: 'DELETE', path: `${sessions}/:id`, tool: 'terminal_kill_session', query: workspace }),
    toolRoute(parts, {
      method: 'PATCH',
      path: `${sessions}/:id`,
      tool: 'terminal_rename_session',
      query: workspace,
      body: ['name']
    }),
    ...endedRoutes(parts),
    agentStateRoute(parts.workspaces),
    ...workspaceRoutes(parts),
    openCodeRoute(parts),
    auditRoute(parts.audit),
    reconcileRoute(parts.workspaces)
  ]
  const describe = () => openApi(routes, parts.version)
  return [...routes, openApiRoute(describe)]
}

function toolRoute(
  parts: ApiParts,
  asked: { method: Method; path: string; tool: string; query?: string[]; body?: string[] }
): HttpRoute {
  const tool = parts.tools.find((candidate) => candidate.name === asked.tool)
  if (!tool) throw new Error(`There is no tool "${asked.tool}"`)
  const query = partOf(tool.input, asked.query ?? [])
  const body = partOf(tool.input, asked.body ?? [])
  const { method, path } = asked
  return {
    method,
    path,
    auth: API_AUTH,
    summary: tool.title,
    query,
    body,
    answer: tool.output,
    async serve(exchange) {
      const named = { ...queryFields(exchange, query), ...bodyFields(exchange, body), ...exchange.params }
      const { log, audit } = parts
      const result = await callTool(tool, named, { context: contextOf(parts, exchange), log, audit })
      if (!result.ok) throw new AppError(result.error.code, result.error.message, result.error.hint)
      sendJson(exchange.response, result.value)
    }
  }
}

function workspaceRoutes({ workspaces, audit }: ApiParts): HttpRoute[] {
  const path = '/api/workspaces'
  return [
    {
      method: 'GET',
      path,
      auth: API_AUTH,
      summary: 'List workspaces',
      query: nothing,
      body: nothing,
      answer: z.object({ workspaces: z.array(workspaceSummarySchema) }),
      async serve(exchange) {
        queryFields(exchange, nothing)
        bodyFields(exchange, nothing)
        sendJson(exchange.response, { workspaces: await workspaces.summaries(allowed(exchange, 'read')) })
      }
    },
    {
      method: 'DELETE',
      path,
      auth: API_AUTH,
      summary: 'Remove a collab session and end its terminals',
      query: workspaceSchema,
      body: nothing,
      answer: z.object({ success: z.boolean(), killed: z.number().int() }),
      async serve(exchange) {
        const access = allowed(exchange, 'kill')
        bodyFields(exchange, nothing)
        const key = parsed(workspaceSchema, queryFields(exchange, workspaceSchema))
        const actor = { token: access.name, client: clientNameOf(exchange) }
        const removal = () => workspaces.remove(access, key)
        sendJson(exchange.response, await audit.recordOutcome({ actor, action: 'remove', ...key }, removal))
      }
    }
  ]
}

/** How `tandem open` gets a link for a browser: only the owner's token, only from this machine. */
function openCodeRoute({ openUrl }: ApiParts): HttpRoute {
  return {
    method: 'POST',
    path: '/api/open-code',
    auth: ['bearer'],
    summary: 'A one-time link for a browser',
    query: nothing,
    body: linkSchema,
    answer: z.object({ openUrl: z.string() }),
    serve(exchange) {
      requireLocalOwner(exchange, 'let a browser in')
      queryFields(exchange, nothing)
      const audience = parsed(linkSchema, bodyFields(exchange, linkSchema))
      sendJson(exchange.response, { openUrl: openUrl(audience) })
    }
  }
}

function openApiRoute(describe: () => object): HttpRoute {
  return {
    method: 'GET',
    path: '/api/openapi.json',
    auth: API_AUTH,
    summary: 'This description',
    serve: ({ response }) => sendJson(response, describe())
  }
}

function contextOf({ workspaces, wsUrlOf }: ApiParts, exchange: HttpExchange): ToolContext {
  const { access } = visitorOf(exchange)
  const clientName = clientNameOf(exchange)
  return {
    workspaces,
    settings: () => workspaces.settings,
    caller: { access, clientName, key: `${clientName}:${access.name}` },
    wsUrl: wsUrlOf,
    signal: abortedOnClose(exchange.response),
    // An answer over HTTP comes in one piece.
    progress: () => undefined,
    idempotencyKey: idempotencyKeyOf(exchange.request.headers['idempotency-key'])
  }
}

function partOf({ shape }: z.ZodObject, names: readonly string[]): z.ZodObject {
  return z.strictObject(Object.fromEntries(Object.entries(shape).filter(([name]) => names.includes(name))))
}
