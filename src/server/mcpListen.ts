import type { ClientInfo } from './mcpCaller'

const CLIENT_INFO_META_KEY = 'io.modelcontextprotocol/clientInfo'

/** A request of the 2026 protocol for a stream of news. Its shape is judged by the SDK; this only reads what concerns us. */
export function isListenRequest(body: unknown): body is { params?: unknown } {
  return fieldsOf(body)?.method === 'subscriptions/listen'
}

/** The resources a listen request wants to follow, as far as it is well formed. */
export function listenedUris(body: unknown): string[] {
  const uris = fieldsOf(fieldsOf(fieldsOf(body)?.params)?.notifications)?.resourceSubscriptions
  return Array.isArray(uris) && uris.every((uri) => typeof uri === 'string') ? [...new Set(uris)] : []
}

/** Who wants to follow them, as the request says it. */
export function listeningClient(body: unknown): ClientInfo | undefined {
  const { name, version } = fieldsOf(fieldsOf(fieldsOf(fieldsOf(body)?.params)?._meta)?.[CLIENT_INFO_META_KEY]) ?? {}
  if (typeof name !== 'string') return undefined
  return { name, version: typeof version === 'string' ? version : undefined }
}

/** The same request for these resources alone; one that is not well formed stays as it is, to be refused. */
export function withUris(body: unknown, uris: readonly string[]): unknown {
  const [request, params] = [fieldsOf(body), fieldsOf(fieldsOf(body)?.params)]
  const notifications = fieldsOf(params?.notifications)
  if (!notifications || listenedUris(body).length === 0) return body
  return { ...request, params: { ...params, notifications: { ...notifications, resourceSubscriptions: uris } } }
}

function fieldsOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}
