import { createServer, type Server } from 'node:http'
import { Audit } from '../core/data/audit'
import type { SettingsStore } from '../core/data/settingsStore'
import type { Tokens } from '../core/data/tokens'
import type { WindowMemory } from '../core/data/windowMemory'
import type { Logger } from '../core/log'
import { tools } from '../core/tools'
import type { Workspaces } from '../core/workspace/workspaces'
import { SCOPES } from '../shared/access'
import type { HostNotice } from '../shared/ipc'
import { addressesOf } from './addresses'
import { AgentsSeen } from './agentsSeen'
import { apiRoutes } from './api'
import { bridgeRoute } from './bridgeRoute'
import { Bridges } from './bridges'
import { BrowserCodes, type LinkAudience } from './browserCodes'
import { Guard } from './guard'
import { type HandOverParts, handOverRoute } from './handOver'
import type { AgentSetup } from './hostConnections'
import { ADVISED_IDLE_MS } from './keptConnections'
import { lazyMcpDoor } from './lazyMcpDoor'
import { listen, type PortChoice } from './listen'
import type { McpExtension } from './mcp'
import { mcpRoutes } from './mcpRoutes'
import { OpenConnections } from './openConnections'
import { pageRoutes } from './pages'
import { attachReception } from './reception'
import { sendJson } from './respond'
import type { HttpRoute, Route } from './routes'
import { listenOnSocket, SOCKET_ADDRESSES } from './socketDoor'
import { terminalSocketRoute } from './terminalSocket'
import { createUiHandlers } from './uiHandlers'
import { uiSocketRoute } from './uiSocket'

export { PortBusyError } from './listen'

export interface ServerOptions {
  workspaces: Workspaces
  settingsStore: SettingsStore
  /** Absent: windows find nothing again. */
  windowMemory?: WindowMemory | undefined
  tokens: Tokens
  log: Logger
  version: string
  notices(): HostNotice[]
  /** Where changes leave their trace; absent: in memory alone. */
  audit?: Audit | undefined
  /** How agents are connected from a window; absent: they are not. */
  agentSetup?: (() => Promise<AgentSetup>) | undefined
  /** Who asks at the MCP door; absent: only browsers are told. */
  agentsSeen?: AgentsSeen | undefined
  /** Given when a newer host may take over from this one. */
  handOver?: HandOverParts['prepare'] | undefined
  /** Cookies that count already, from the host this one took over from. */
  browserSessions?: readonly string[] | undefined
  /** What the MCP door offers besides Tandem's own. */
  mcpExtension?: McpExtension | undefined
  homeProject: string
  /** Where the built page lies. */
  rendererDir: string
  /** What to bind: `127.0.0.1`, or what the person allowed. */
  address: string
  port: PortChoice
  /** Where the same doors are opened on a socket of the file system; absent: nowhere. */
  socketPath?: string | undefined
}

/** The open doors of a host. */
export interface RunningServer {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly mcpUrl: string
  readonly wsUrl: string
  /** What every request is matched against; tests walk over it. */
  readonly routes: readonly Route[]
  /** A fresh address that lets one browser in, once, within ten minutes. */
  openUrl(audience?: LinkAudience): string
  /** Hashes of the cookies of browsers that are in. */
  browserSessions(): string[]
  /** Connectable as it stands; holds no secret. */
  wsUrlOf(tmuxSession: string): string
  close(): Promise<void>
}

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const TIMEOUT_CHECK_MS = 2000
const MAX_HEADER_BYTES = 16 * 1024
/** Windows and agents need a few each; beyond this new connections are dropped, old ones live. */
const MAX_CONNECTIONS = 1000

/** Binds first, then opens the doors: nobody is told of an address that is not ours. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { log, socketPath } = options
  const [server, socketServer] = [newServer(), newServer()]
  const connections = new OpenConnections()
  let doors: Doors | undefined
  const closings = [
    attachReception(server, () => doors?.guard, log),
    attachReception(socketServer, () => doors?.socketGuard, log)
  ]
  const closeAll = async () => void (await Promise.all(closings.map((close) => close())))
  const address = options.address === 'localhost' ? '127.0.0.1' : options.address
  const port = await listen(server, address, options.port)
  try {
    if (socketPath !== undefined && !(await listenOnSocket(socketServer, socketPath)))
      log.debug({}, 'the path of the data directory is too long for a socket in it')
    // A host without descriptors to spare cannot take a connection: the caller sees it closed, and the host lives.
    for (const one of [server, socketServer])
      one.on('error', (err) => log.warn({ err }, 'a connection could not be taken'))
    doors = openDoors(options, { port, connections, address })
    const { running, close } = doors
    return {
      ...running,
      async close() {
        close()
        connections.endAll()
        await closeAll()
      }
    }
  } catch (failure) {
    await closeAll()
    throw failure
  }
}

function newServer(): Server {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: ADVISED_IDLE_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The guard answers a missing Host itself, like every other wrong one.
    requireHostHeader: false
  })
  server.maxConnections = MAX_CONNECTIONS
  // The size of all headers is bounded; a bound on their number would drop the last ones, Origin among them.
  server.maxHeadersCount = 0
  return server
}

interface Doors {
  guard: Guard
  socketGuard: Guard
  running: Omit<RunningServer, 'close'>
  close(): void
}

function openDoors(
  options: ServerOptions,
  { port, connections, address }: { port: number; connections: OpenConnections; address: string }
): Doors {
  const { tokens, log, workspaces, version } = options
  const addresses = addressesOf(address, port)
  const { origin } = addresses
  const wsUrl = `${origin.replace('http:', 'ws:')}/ws`
  const browserCodes = new BrowserCodes(`tandem_${port}`, options.browserSessions)
  const { audit = new Audit(), agentsSeen = new AgentsSeen(), handOver, settingsStore } = options
  const browserSessions = () => browserCodes.sessions()
  const wsUrlOf = (tmuxSession: string) => `${wsUrl}?arg=${encodeURIComponent(tmuxSession)}`
  const openUrl = (audience?: LinkAudience) => `${origin}/?code=${browserCodes.issue(audience)}`
  const bridges = new Bridges({ onGone: (bridge) => workspaces.endEphemeral(bridge) })
  bridges.expect(workspaces.ephemeralBridges())
  const mcpDoor = lazyMcpDoor({ workspaces, log, audit, agentsSeen, version, wsUrlOf, extension: options.mcpExtension })
  const owner = { name: 'owner', scopes: SCOPES, projects: null }
  const handlers = createUiHandlers({ ...options, audit, agentsSeen, access: owner })
  const routes: Route[] = [
    healthRoute(version),
    ...apiRoutes({ tools, workspaces, log, audit, version, wsUrlOf, openUrl }),
    ...(handOver ? [handOverRoute({ version, browserSessions, prepare: handOver })] : []),
    bridgeRoute({ bridges, connections, version }),
    ...mcpRoutes({ door: mcpDoor, tools, connections }),
    terminalSocketRoute({ workspaces, tokens, connections, audit, log }),
    uiSocketRoute({ workspaces, settingsStore, audit, agentsSeen, handlers, connections, log }),
    ...pageRoutes({ rendererDir: options.rendererDir, browserCodes })
  ]
  const stopListening = tokens.onRevoked((name) => {
    connections.endOf(name)
    mcpDoor.endSessionsOf(name)
    agentsSeen.forget(name)
  })
  const behind = { routes, tokens, browserCodes }
  return {
    guard: new Guard({ ...behind, addresses }),
    socketGuard: new Guard({ ...behind, addresses: SOCKET_ADDRESSES }),
    running: { port, origin, mcpUrl: `${origin}/mcp`, wsUrl, routes, openUrl, wsUrlOf, browserSessions },
    close() {
      stopListening()
      bridges.close()
      mcpDoor.close().catch((err: unknown) => log.warn({ err }, 'mcp did not close'))
    }
  }
}

function healthRoute(version: string): HttpRoute {
  return {
    method: 'GET',
    path: '/healthz',
    auth: [],
    summary: 'Whether the host answers',
    serve: ({ response }) => sendJson(response, { status: 'ok', version })
  }
}
