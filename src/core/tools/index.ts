import { terminalCreateSession } from './collab/terminalCreateSession'
import { terminalKillSession } from './collab/terminalKillSession'
import { terminalListSessions } from './collab/terminalListSessions'
import { terminalRenameSession } from './collab/terminalRenameSession'
import { terminalReorderSessions } from './collab/terminalReorderSessions'
import { isIn, type Tool, type Toolset } from './defineTool'
import { closeTerminal } from './exec/closeTerminal'
import { executePython } from './exec/executePython'
import { executeShell } from './exec/executeShell'
import { executeTypescript } from './exec/executeTypescript'
import { listTerminals } from './exec/listTerminals'
import { openNewTerminal } from './exec/openNewTerminal'
import { readTerminalOutput } from './exec/readTerminalOutput'
import { terminalCreateAnySession } from './pty/terminalCreateSession'
import { terminalDestroySession } from './pty/terminalDestroySession'
import { terminalGetInfo } from './pty/terminalGetInfo'
import { terminalListAllSessions } from './pty/terminalListSessions'
import { terminalRead } from './pty/terminalRead'
import { terminalResize } from './pty/terminalResize'
import { terminalSend } from './pty/terminalSend'
import { createTrackedTerminal } from './tracked/createTrackedTerminal'
import { getTerminalBuffer } from './tracked/getTerminalBuffer'
import { listTrackedTerminals } from './tracked/listTrackedTerminals'
import { searchTerminalBuffer } from './tracked/searchTerminalBuffer'
import { sendToTerminal } from './tracked/sendToTerminal'

/** Every tool there is, in the order clients see: the one registry. */
export const tools: readonly Tool[] = [
  terminalCreateSession,
  terminalListSessions,
  terminalKillSession,
  terminalRenameSession,
  terminalReorderSessions,
  terminalCreateAnySession,
  terminalListAllSessions,
  terminalSend,
  terminalRead,
  terminalGetInfo,
  terminalResize,
  terminalDestroySession,
  openNewTerminal,
  executeShell,
  executePython,
  executeTypescript,
  readTerminalOutput,
  listTerminals,
  closeTerminal,
  createTrackedTerminal,
  getTerminalBuffer,
  listTrackedTerminals,
  sendToTerminal,
  searchTerminalBuffer
]

/** The tools of some sets; with `readOnly`, only those that change nothing. */
export function toolsOf(
  toolsets: readonly Toolset[],
  { readOnly = false }: { readOnly?: boolean } = {}
): readonly Tool[] {
  return tools.filter((tool) => isIn(tool, toolsets) && (!readOnly || tool.annotations.readOnlyHint))
}
