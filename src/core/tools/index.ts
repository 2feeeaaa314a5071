import { terminalCreateSession } from './collab/terminalCreateSession'
import { terminalKillSession } from './collab/terminalKillSession'
import { terminalListSessions } from './collab/terminalListSessions'
import { terminalRenameSession } from './collab/terminalRenameSession'
import { terminalReorderSessions } from './collab/terminalReorderSessions'
import type { Tool, Toolset } from './defineTool'

/** Every tool there is, in the order clients see: the one registry. */
export const tools: readonly Tool[] = [
  terminalCreateSession,
  terminalListSessions,
  terminalKillSession,
  terminalRenameSession,
  terminalReorderSessions
]

/** The tools of some sets; with `readOnly`, only those that change nothing. */
export function toolsOf(
  toolsets: readonly Toolset[],
  { readOnly = false }: { readOnly?: boolean } = {}
): readonly Tool[] {
  return tools.filter((tool) => toolsets.includes(tool.toolset) && (!readOnly || tool.annotations.readOnlyHint))
}
