import { TOOLSETS, type Tool } from '../../core/tools/defineTool'
import { selectTools } from '../../server/mcpSelection'
import type { describeTool } from '../../server/mcpTools'

/** Put in by the build (`scripts/bundle/server.mjs`). */
declare const PACKED_TOOLS: readonly (ReturnType<typeof describeTool> & Pick<Tool, 'toolset' | 'sharedWith'>)[]

/** Takes the place of `bridge/ownTools` in a bundle: the same list, without the code behind the tools. */
export function ownTools(headers: Readonly<Record<string, string>>) {
  const all = { toolsets: TOOLSETS, readOnly: false }
  return selectTools(PACKED_TOOLS, all, headers).map(({ toolset: _, sharedWith: __, ...shown }) => shown)
}
