import { z } from 'zod'
import { type Audit, auditEntrySchema } from '../core/data/audit'
import type { Workspaces } from '../core/workspace/workspaces'
import { isLoopback } from './addresses'
import { bodyFields, parsed, queryFields } from './fields'
import { Refusal } from './refusal'
import { sendJson } from './respond'
import type { Exchange, HttpRoute } from './routes'
import { allowed, visitorOf } from './visitors'

const DEFAULT_ENTRIES = 100
const nothing = z.strictObject({})
const auditQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,4}$/)
    .optional()
})

/** Some doors are for the person at this machine alone: the owner's token, over loopback. */
export function requireLocalOwner(exchange: Exchange, what: string): void {
  const { remoteAddress, localAddress } = exchange.request.socket
  const isOwner = visitorOf(exchange).access.name === 'owner'
  // Whoever calls 127.0.0.2 comes from 127.0.0.1.
  const isHere = remoteAddress !== undefined && (remoteAddress === localAddress || isLoopback(remoteAddress))
  if (!isOwner || !isHere) {
    throw new Refusal('UNAUTHORIZED', `Only the owner, on this machine, can ${what}`)
  }
}

/** `GET /api/audit`: who did what, as far as the token's projects go. */
export function auditRoute(audit: Audit): HttpRoute {
  return {
    method: 'GET',
    path: '/api/audit',
    auth: ['bearer', 'cookie'],
    summary: 'Who did what in which terminal',
    query: auditQuery,
    body: nothing,
    answer: z.object({ entries: z.array(auditEntrySchema) }),
    serve(exchange) {
      const access = allowed(exchange, 'read')
      bodyFields(exchange, nothing)
      const { limit } = parsed(auditQuery, queryFields(exchange, auditQuery))
      sendJson(exchange.response, { entries: audit.list(access, Number(limit ?? DEFAULT_ENTRIES)) })
    }
  }
}

/** `POST /api/reconcile`: what `tandem doctor --fix` asks of a running host. */
export function reconcileRoute(workspaces: Workspaces): HttpRoute {
  const count = z.number().int()
  return {
    method: 'POST',
    path: '/api/reconcile',
    auth: ['bearer'],
    summary: 'Make all stores agree with what lives',
    query: nothing,
    body: nothing,
    answer: z.object({ removed: count, killed: count, adopted: count }),
    async serve(exchange) {
      requireLocalOwner(exchange, 'reconcile')
      queryFields(exchange, nothing)
      bodyFields(exchange, nothing)
      sendJson(exchange.response, await workspaces.reconcileAll(allowed(exchange, 'kill')))
    }
  }
}
