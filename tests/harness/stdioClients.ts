import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Era, McpAnswer, McpClient, McpTool } from './mcpClients'
import { ENTRY, type World } from './tandem'

/** Longer than any call of the bridge may take. */
const CALL_LIMIT_MS = 120_000

export interface BridgeProcess {
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
}

export interface StdioClient
  extends Pick<McpClient, 'era' | 'protocolVersion' | 'instructions' | 'listTools' | 'call' | 'close'> {
  readonly pid: number
  /** What could not be read as MCP. */
  readonly errors: Error[]
  /** Methods of the notifications that came unasked. */
  readonly notifications: string[]
}

/** How `tandem mcp` is run in a world. */
export function bridgeIn(world: World, flags: string[] = []): BridgeProcess {
  return { command: process.execPath, args: [ENTRY, 'mcp', '--data-dir', world.dataDir, ...flags], cwd: world.project }
}

/** Starts a bridge as a client does, with the real client of either era. */
export async function connectStdio(
  era: Era,
  world: World,
  {
    process: bridge = bridgeIn(world),
    clientName = `stdio-${era}`
  }: { process?: BridgeProcess; clientName?: string } = {}
): Promise<StdioClient> {
  const environment = { ...world.environment, ...bridge.env }
  const env = Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => !!entry[1]))
  const server = { ...bridge, env, stderr: 'inherit' as const }
  return era === '2026' ? modern(server, clientName) : legacy(server, clientName)
}

async function modern(server: ConstructorParameters<typeof ModernTransport>[0], name: string): Promise<StdioClient> {
  const client = new ModernClient({ name, version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const transport = new ModernTransport(server)
  const seen = watched(client)
  await client.connect(transport)
  return {
    era: '2026',
    ...seen,
    pid: transport.pid ?? 0,
    protocolVersion: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools as McpTool[],
    call: async (tool, args = {}, meta) =>
      (await client.callTool(
        { name: tool, arguments: args, ...(meta ? { _meta: meta } : {}) },
        { timeout: CALL_LIMIT_MS }
      )) as McpAnswer,
    close: () => client.close()
  }
}

async function legacy(server: ConstructorParameters<typeof LegacyTransport>[0], name: string): Promise<StdioClient> {
  const client = new LegacyClient({ name, version: '1.0.0' })
  const transport = new LegacyTransport(server)
  const seen = watched(client)
  await client.connect(transport)
  return {
    era: '2025',
    ...seen,
    pid: transport.pid ?? 0,
    protocolVersion: '2025-11-25',
    instructions: client.getInstructions(),
    listTools: async () => (await client.listTools()).tools as McpTool[],
    call: async (tool, args = {}, meta) =>
      (await client.callTool({ name: tool, arguments: args, ...(meta ? { _meta: meta } : {}) }, undefined, {
        timeout: CALL_LIMIT_MS
      })) as McpAnswer,
    close: () => client.close()
  }
}

function watched(client: {
  onerror?: ((error: Error) => void) | undefined
  fallbackNotificationHandler?: ((notification: { method: string }) => Promise<void>) | undefined
}) {
  const errors: Error[] = []
  const notifications: string[] = []
  client.onerror = (error) => errors.push(error)
  client.fallbackNotificationHandler = async ({ method }) => {
    notifications.push(method)
  }
  return { errors, notifications }
}
