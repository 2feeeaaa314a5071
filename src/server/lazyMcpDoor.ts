import type { McpDoor, McpParts } from './mcp'

/**
 * The MCP door, loaded when the other doors are open: the protocol's schemas are most of what a start would wait for. A
 * request that comes earlier waits for it.
 */
export function lazyMcpDoor(parts: McpParts): McpDoor {
  let door: Promise<McpDoor> | undefined
  const load = () => {
    door ??= import('./mcp').then(
      ({ createMcpDoor }) => createMcpDoor(parts),
      (failure: unknown) => {
        // The next request tries again.
        door = undefined
        throw failure
      }
    )
    return door
  }
  const failed = (err: unknown) => parts.log.error({ err }, 'the MCP door could not be loaded')
  const early = setImmediate(() => void load().catch(failed))
  return {
    serve: async (exchange, tools) => (await load()).serve(exchange, tools),
    endSessionsOf: (tokenName) => void door?.then((loaded) => loaded.endSessionsOf(tokenName)).catch(failed),
    async close() {
      clearImmediate(early)
      await (await door?.catch(() => undefined))?.close()
    }
  }
}
