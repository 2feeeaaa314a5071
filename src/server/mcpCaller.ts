import type { Server, ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from '../shared/access'
import { type Visit, visitIn } from './mcpVisit'

/** What a client says of itself. */
export interface ClientInfo {
  name: string
  version?: string | undefined
}

export function clientNameOf(client: ClientInfo | undefined): string {
  return client?.name ?? 'agent'
}

/** The client of one request to its server. */
export function callerIn(server: Server, context: ServerContext): Caller {
  return callerOf(server.getClientVersion(), visitIn(context.http?.authInfo), context.sessionId)
}

/** The client's name is self-reported: with the bridge or the session it tells callers of one token apart, and is never a right. */
export function callerOf(client: ClientInfo | undefined, { access, bridge }: Visit, sessionId?: string): Caller {
  const clientName = clientNameOf(client)
  const named = sessionId === undefined ? `${clientName}\n${client?.version ?? ''}` : `session\n${sessionId}`
  return { access, clientName, key: `${access.name}\n${bridge.bridge ?? named}`, ...bridge }
}
