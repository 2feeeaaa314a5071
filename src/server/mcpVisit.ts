import type { ServerResponse } from 'node:http'
import type { AuthInfo } from '@modelcontextprotocol/server'
import type { Tool } from '../core/tools/defineTool'
import type { Access, Caller } from '../shared/access'
import { abortedOnClose } from './visitors'

/** Who asks, and what they see: handed through the SDK beside each request, so that no server outlives its rights. */
export class Visit {
  constructor(
    readonly access: Access,
    readonly tools: readonly Tool[],
    readonly bridge: Pick<Caller, 'bridge' | 'cwd'>,
    readonly response: ServerResponse
  ) {
    this.gone = abortedOnClose(response)
  }

  /** Aborted when the request's connection is gone before its answer. */
  readonly gone: AbortSignal

  /** True while the client has not taken what was sent. */
  get isBehind(): boolean {
    return this.response.writableNeedDrain
  }
}

export function authInfoOf(visit: Visit): AuthInfo {
  return { token: '', clientId: visit.access.name, scopes: [...visit.access.scopes], extra: { visit } }
}

export function visitIn(authInfo: AuthInfo | undefined): Visit {
  const visit = authInfo?.extra?.visit
  if (visit instanceof Visit) return visit
  throw new Error('A request reached MCP without passing the guard')
}
