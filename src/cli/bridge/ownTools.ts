import { TOOLSETS } from '../../core/tools/defineTool'
import { tools } from '../../core/tools/index'
import { selectTools } from '../../server/mcpSelection'
import { describeTool } from '../../server/mcpTools'

/** The tools that a host of this version offers to these headers. Heavy: loaded only when there is no host to ask. */
export function ownTools(headers: Readonly<Record<string, string>>) {
  return selectTools(tools, { toolsets: TOOLSETS, readOnly: false }, headers).map(describeTool)
}
