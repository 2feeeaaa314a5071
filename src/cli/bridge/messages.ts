export const MODERN_VERSION = '2026-07-28'
/** Newest first: what a client is answered that asks for one nobody knows. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

const META = 'io.modelcontextprotocol'
export const META_KEYS = {
  protocolVersion: `${META}/protocolVersion`,
  clientCapabilities: `${META}/clientCapabilities`,
  clientInfo: `${META}/clientInfo`,
  serverInfo: `${META}/serverInfo`,
  subscriptionId: `${META}/subscriptionId`,
  idempotencyKey: 'tandem/idempotencyKey'
} as const

export const RPC_ERRORS = {
  parse: -32_700,
  invalidRequest: -32_600,
  invalidParams: -32_602,
  internal: -32_603,
  unsupportedVersion: -32_022
} as const

export type Id = string | number
export type Fields = Readonly<Record<string, unknown>>

export interface RpcRequest {
  id: Id
  method: string
  params: Fields
}
export interface RpcNotification {
  method: string
  params: Fields
}
export interface RpcError {
  code: number
  message: string
  data?: unknown
}
export type RpcOutcome = { result: Fields } | { error: RpcError }

export type Incoming =
  | ({ kind: 'request' } & RpcRequest)
  | ({ kind: 'notification' } & RpcNotification)
  | ({ kind: 'outcome'; id: Id } & RpcOutcome)

export function fieldsOf(value: unknown): Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? Object.fromEntries(Object.entries(value)) : {}
}

export function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number'
}

/** What one JSON value says as JSON-RPC; undefined when it is none. */
export function readMessage(value: unknown): Incoming | undefined {
  const { jsonrpc, id, method, params, result, error } = fieldsOf(value)
  if (jsonrpc !== '2.0') return undefined
  if (typeof method === 'string') {
    const call = { method, params: fieldsOf(params) }
    if (id === undefined) return { kind: 'notification', ...call }
    return isId(id) ? { kind: 'request', id, ...call } : undefined
  }
  if (!isId(id)) return undefined
  if (error === undefined) return { kind: 'outcome', id, result: fieldsOf(result) }
  const { code, message, data } = fieldsOf(error)
  const said = { code: Number(code), message: String(message), ...(data === undefined ? {} : { data }) }
  return { kind: 'outcome', id, error: said }
}

/** The protocol that a request itself says it speaks: clients of 2026 do so with each one, older ones never. */
export function claimedVersion({ params }: RpcRequest): string | undefined {
  const version = fieldsOf(params._meta)[META_KEYS.protocolVersion]
  return typeof version === 'string' ? version : undefined
}
