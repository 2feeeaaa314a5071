import { VERSION } from '../../core/version'
import { mcpCapabilities } from '../../server/mcpCapabilities'
import { mcpInstructions } from '../../server/strings'
import type { Fields, RpcOutcome, RpcRequest } from './messages'
import { claimedVersion, LEGACY_VERSIONS, META_KEYS, MODERN_VERSION, RPC_ERRORS } from './messages'

/** What never changes while a bridge lives may be kept for so long. */
const DISCOVER_TTL_MS = 5 * 60 * 1000

export const SERVER_INFO = { name: 'tandem', title: 'Tandem', version: VERSION } as const

/** Changes of the tool list are the bridge's own to tell: it sees hosts come and go. */
export const BRIDGE_CAPABILITIES = {
  ...mcpCapabilities,
  tools: { ...mcpCapabilities.tools, listChanged: true }
} as const

/** A client of the older protocols says hello; what it says counts for all its requests. */
export function answerInitialize({ params }: RpcRequest): RpcOutcome {
  const asked = LEGACY_VERSIONS.find((version) => version === params.protocolVersion)
  const protocolVersion = asked ?? LEGACY_VERSIONS[0]
  const { capabilities, serverInfo } = { capabilities: BRIDGE_CAPABILITIES, serverInfo: SERVER_INFO }
  return { result: { protocolVersion, capabilities, serverInfo, instructions: mcpInstructions } }
}

export function answerDiscover(): RpcOutcome {
  return complete({
    supportedVersions: [MODERN_VERSION],
    capabilities: BRIDGE_CAPABILITIES,
    instructions: mcpInstructions,
    ttlMs: DISCOVER_TTL_MS,
    cacheScope: 'private'
  })
}

/** A result as clients of 2026 read it. */
export function complete(result: Fields): RpcOutcome {
  return { result: { ...result, resultType: 'complete', _meta: { [META_KEYS.serverInfo]: SERVER_INFO } } }
}

/** The refusal of a request that speaks a protocol nobody here speaks. */
export function versionRefusal(request: RpcRequest): RpcOutcome | undefined {
  const requested = claimedVersion(request)
  if (requested === undefined || requested === MODERN_VERSION) return undefined
  const message = `Unsupported protocol version: ${requested}`
  return {
    error: { code: RPC_ERRORS.unsupportedVersion, message, data: { supported: [MODERN_VERSION], requested } }
  }
}
