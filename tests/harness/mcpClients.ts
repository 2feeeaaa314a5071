import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'

export interface McpTool {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown> | undefined
  annotations?: Record<string, unknown> | undefined
}

export interface McpAnswer {
  content: { type: string; text?: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export interface McpResource {
  uri: string
  mimeType?: string | undefined
  text?: string | undefined
}

/** Resources that a client follows. */
export interface Following {
  /** What the server says it will tell about. */
  uris: readonly string[]
  /** Resolves when the server has ended it; never in the protocol of 2025, which has no such end. */
  ended: Promise<void>
  stop(): Promise<void>
}

export interface WaitOptions {
  onprogress?: (progress: { progress: number; message?: string | undefined }) => void
  signal?: AbortSignal
  meta?: Record<string, unknown>
}

/** A real client of either era, as far as the tests need it. */
export interface McpClient {
  readonly era: Era
  readonly protocolVersion: string | undefined
  readonly instructions: string | undefined
  listTools(): Promise<McpTool[]>
  call(name: string, args?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<McpAnswer>
  /** A call that may take its time. */
  wait(name: string, args: Record<string, unknown>, options: WaitOptions): Promise<McpAnswer>
  listResources(): Promise<McpResource[]>
  listTemplates(): Promise<string[]>
  read(uri: string): Promise<McpResource[]>
  follow(uris: string[], updated: (uri: string) => void): Promise<Following>
  close(): Promise<void>
}

export const ERAS = ['2026', '2025'] as const
export type Era = (typeof ERAS)[number]

export interface McpConnection {
  url: string
  token: string
  headers?: Record<string, string>
  clientName?: string
}

export function connectMcp(era: Era, connection: McpConnection): Promise<McpClient> {
  return era === '2026' ? connectModern(connection) : connectLegacy(connection)
}

function requestInit({ token, headers = {} }: McpConnection): RequestInit {
  return { headers: { authorization: `Bearer ${token}`, ...headers } }
}

async function connectModern(connection: McpConnection): Promise<McpClient> {
  const client = new ModernClient(
    { name: connection.clientName ?? 'modern-test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } }
  )
  await client.connect(new ModernTransport(new URL(connection.url), { requestInit: requestInit(connection) }))
  return {
    era: '2026',
    protocolVersion: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools as McpTool[],
    call: async (name, args = {}, meta) =>
      (await client.callTool({ name, arguments: args, ...(meta ? { _meta: meta } : {}) })) as McpAnswer,
    wait: async (name, args, { meta, ...options }) =>
      (await client.callTool({ name, arguments: args, ...(meta ? { _meta: meta } : {}) }, options)) as McpAnswer,
    listResources: async () => (await client.listResources()).resources,
    listTemplates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    read: async (uri) => (await client.readResource({ uri })).contents as McpResource[],
    async follow(uris, updated) {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated(params.uri))
      const subscription = await client.listen({ resourceSubscriptions: uris })
      return {
        uris: subscription.honoredFilter.resourceSubscriptions ?? [],
        ended: subscription.closed.then(() => undefined),
        stop: () => subscription.close()
      }
    },
    close: () => client.close()
  }
}

async function connectLegacy(connection: McpConnection): Promise<McpClient> {
  const client = new LegacyClient({ name: connection.clientName ?? 'legacy-test', version: '1.0.0' })
  const transport = new LegacyTransport(new URL(connection.url), { requestInit: requestInit(connection) })
  // The package's own transport and interface differ in optional fields under exactOptionalPropertyTypes only.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return {
    era: '2025',
    protocolVersion: transport.protocolVersion,
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools as McpTool[],
    call: async (name, args = {}, meta) =>
      (await client.callTool({ name, arguments: args, ...(meta ? { _meta: meta } : {}) })) as McpAnswer,
    wait: async (name, args, { meta, ...options }) => {
      const asked = { name, arguments: args, ...(meta ? { _meta: meta } : {}) }
      return (await client.callTool(asked, undefined, options)) as McpAnswer
    },
    listResources: async () => (await client.listResources()).resources as McpResource[],
    listTemplates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    read: async (uri) => (await client.readResource({ uri })).contents as McpResource[],
    async follow(uris, updated) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated(params.uri))
      const followed: string[] = []
      for (const uri of uris) {
        const done = await client.subscribeResource({ uri }).then(
          () => true,
          () => false
        )
        if (done) followed.push(uri)
      }
      return {
        uris: followed,
        ended: new Promise(() => undefined),
        async stop() {
          for (const uri of followed) await client.unsubscribeResource({ uri })
        }
      }
    },
    close: () => client.close()
  }
}
