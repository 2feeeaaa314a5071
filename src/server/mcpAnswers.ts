import type {
  CallToolRequest,
  CallToolResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  ReadResourceResult,
  Server,
  ServerContext
} from '@modelcontextprotocol/server'
import { TRIAL_NAME } from '../core/clients/verifyConnection'
import type { Audit } from '../core/data/audit'
import type { Logger } from '../core/log'
import { callTool, type ToolOutcome } from '../core/tools/callTool'
import type { ToolContext } from '../core/tools/defineTool'
import type { Workspaces } from '../core/workspace/workspaces'
import type { Caller } from '../shared/access'
import { AppError } from '../shared/errors'
import type { AgentsSeen } from './agentsSeen'
import { callerIn, clientNameOf } from './mcpCaller'
import { McpProgress } from './mcpProgress'
import { McpResources, RESOURCE_TEMPLATES } from './mcpResources'
import { describeTool, printResult } from './mcpTools'
import { visitIn } from './mcpVisit'
import { strings } from './strings'
import { idempotencyKeyOf } from './visitors'

const IDEMPOTENCY_META_KEY = 'tandem/idempotencyKey'

export interface AnswerParts {
  workspaces: Workspaces
  log: Logger
  audit: Audit
  wsUrlOf(tmuxSession: string): string
  agentsSeen?: AgentsSeen | undefined
}

/** One call of a tool: what was asked, and the server of the client that asks. */
export interface ToolCall {
  server: Server
  params: CallToolRequest['params']
  context: ServerContext
}

/** What Tandem answers to each request, whatever the era. Failures are AppErrors: the door says them in the protocol's words. */
export class McpAnswers {
  readonly resources: McpResources
  readonly #parts: AnswerParts

  constructor(parts: AnswerParts) {
    this.#parts = parts
    this.resources = new McpResources(parts.workspaces)
  }

  /** A client asks for something; the returned function says that it has its answer. */
  arrive(server: Server, context: ServerContext): () => void {
    const name = clientNameOf(server.getClientVersion())
    const { access } = visitIn(context.http?.authInfo)
    if (name === TRIAL_NAME) return () => undefined
    return this.#parts.agentsSeen?.arrive({ name, token: access.name }) ?? (() => undefined)
  }

  listTools(context: ServerContext): ListToolsResult {
    return { tools: visitIn(context.http?.authInfo).tools.map(describeTool) }
  }

  async callTool(asked: ToolCall): Promise<CallToolResult> {
    const { params, context } = asked
    const { tools } = visitIn(context.http?.authInfo)
    const tool = tools.find((candidate) => candidate.name === params.name)
    if (!tool) throw new AppError('NOT_FOUND', `Unknown tool: ${params.name}`)
    const { log, audit } = this.#parts
    const progress = this.#progressOf(context)
    const result = await keyed(context, (idempotencyKey) =>
      callTool(tool, params.arguments ?? {}, {
        log,
        audit,
        context: { ...this.#contextOf(asked), progress: (message) => progress?.say(message), idempotencyKey }
      })
    ).finally(() => progress?.close())
    return printResult(result)
  }

  async listResources(context: ServerContext): Promise<ListResourcesResult> {
    return { resources: await this.resources.list(visitIn(context.http?.authInfo).access) }
  }

  listTemplates(): ListResourceTemplatesResult {
    return { resourceTemplates: RESOURCE_TEMPLATES }
  }

  async readResource(uri: string, caller: Caller): Promise<ReadResourceResult> {
    return { contents: [await this.resources.read(caller, uri)] }
  }

  #contextOf({ server, context }: ToolCall): Omit<ToolContext, 'progress'> {
    const visit = visitIn(context.http?.authInfo)
    const { workspaces, wsUrlOf } = this.#parts
    return {
      workspaces,
      settings: () => workspaces.settings,
      caller: callerIn(server, context),
      wsUrl: wsUrlOf,
      // A client of any era that hangs up has given up; those of 2025 say so in a message of its own, too.
      signal: AbortSignal.any([context.mcpReq.signal, visit.gone])
    }
  }

  #progressOf({ mcpReq }: ServerContext): McpProgress | undefined {
    const progressToken = mcpReq._meta?.progressToken
    if (progressToken === undefined) return undefined
    return new McpProgress({
      send: (said) => mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...said } }),
      failed: (err) => this.#parts.log.debug({ err }, 'progress could not be told'),
      message: strings.stillWorking
    })
  }
}

async function keyed(
  context: ServerContext,
  run: (key: string | undefined) => Promise<ToolOutcome>
): Promise<ToolOutcome> {
  try {
    return await run(idempotencyKeyOf(context.mcpReq._meta?.[IDEMPOTENCY_META_KEY]))
  } catch (thrown) {
    return { ok: false, error: AppError.from(thrown).toWire() }
  }
}
