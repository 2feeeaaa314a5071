import type { Script } from '../../workspace/scripts'
import type { ToolContext } from '../defineTool'
import type { ExecuteArguments } from './execInput'
import { type ExecuteAnswer, executeCommand } from './executeTool'
import { quoted } from './quoted'

/** Runs a text as a script of the workspace, which stays there for as long as a run may still read it. */
export async function executeScript(
  { program, ...script }: Script & { program: string },
  args: ExecuteArguments,
  context: ToolContext
): Promise<ExecuteAnswer> {
  const { workspaces, caller } = context
  const terminal = workspaces.terminal(caller.access, args.terminal_id)
  terminal.control.requireFree()
  const path = await workspaces.scripts.write(caller.access, terminal.id, script)
  return executeCommand(`${program} ${quoted(path)}`, args, context)
}
