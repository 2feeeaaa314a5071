import { z } from 'zod'
import type { Audit } from '../core/data/audit'
import { answerSchema, withWarnings } from '../core/tools/answers'
import type { Workspaces } from '../core/workspace/workspaces'
import { endedTerminalSchema, type WorkspaceKey } from '../shared/terminal'
import { bodyFields, parsed, queryFields } from './fields'
import { sendJson } from './respond'
import type { HttpExchange, HttpRoute } from './routes'
import { allowed, clientNameOf } from './visitors'

export interface EndedParts {
  workspaces: Workspaces
  audit: Audit
  wsUrlOf(tmuxSession: string): string
}

const API_AUTH = ['bearer', 'cookie'] as const
const workspaceSchema = z.strictObject({ project: z.string(), session: z.string() })
const nothing = z.strictObject({})
const declared = { auth: API_AUTH, query: workspaceSchema, body: nothing } as const

/** What is over, and how it is started again: only ever on such a call, never by itself. */
export function endedRoutes(parts: EndedParts): HttpRoute[] {
  return [listRoute(parts), forgetRoute(parts), restartRoute(parts)]
}

function listRoute({ workspaces }: EndedParts): HttpRoute {
  return {
    ...declared,
    method: 'GET',
    path: '/api/terminal/ended',
    summary: 'List ended terminals that can be started again, newest first',
    answer: answerSchema({ ended: z.array(endedTerminalSchema) }),
    async serve(exchange) {
      const access = allowed(exchange, 'read')
      const { ended, warnings } = await workspaces.ended(access, keyOf(exchange))
      sendJson(exchange.response, withWarnings({ ended }, warnings))
    }
  }
}

function forgetRoute({ workspaces, audit }: EndedParts): HttpRoute {
  return {
    ...declared,
    method: 'DELETE',
    path: '/api/terminal/ended/:id',
    summary: 'No longer offer to start an ended terminal again',
    answer: z.object({ success: z.boolean() }),
    async serve(exchange) {
      const access = allowed(exchange, 'kill')
      const key = keyOf(exchange)
      const ids = [exchange.params.id ?? '']
      const forget = async () => ({ success: (await workspaces.forgetEnded(access, key, ids)) > 0 })
      const actor = { token: access.name, client: clientNameOf(exchange) }
      sendJson(exchange.response, await audit.recordOutcome({ actor, action: 'forget', ...key }, forget))
    }
  }
}

function restartRoute({ workspaces, audit, wsUrlOf }: EndedParts): HttpRoute {
  return {
    ...declared,
    method: 'POST',
    path: '/api/terminal/sessions/:id/restart',
    summary: 'Start a terminal again that ended, as it was',
    answer: answerSchema({ id: z.string(), tmuxSession: z.string(), wsUrl: z.string() }),
    async serve(exchange) {
      const access = allowed(exchange, 'type')
      const key = keyOf(exchange)
      const restart = () => workspaces.restart(access, key, exchange.params.id ?? '')
      const deed = { actor: { token: access.name, client: clientNameOf(exchange) }, action: 'restart', ...key }
      const { record, warnings } = await audit.recordOutcome(deed, restart, (made) => made.record)
      const { id, tmuxSession } = record
      sendJson(exchange.response, withWarnings({ id, tmuxSession, wsUrl: wsUrlOf(tmuxSession) }, warnings))
    }
  }
}

function keyOf(exchange: HttpExchange): WorkspaceKey {
  bodyFields(exchange, nothing)
  return parsed(workspaceSchema, queryFields(exchange, workspaceSchema))
}
