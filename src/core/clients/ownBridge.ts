import { realpathSync } from 'node:fs'
import type { AgentClient, BridgeCommand } from './agentClients'
import { onPath } from './onPath'

/** How clients start our bridge: by name where `tandem` is on their PATH, else with the full paths of what runs now. */
export function ownBridge(
  client: AgentClient,
  { environment, script, dataDir }: { environment: NodeJS.ProcessEnv; script: string; dataDir?: string | undefined }
): BridgeCommand {
  const words = ['mcp', ...(dataDir === undefined ? [] : ['--data-dir', dataDir])]
  if (!client.isDesktop && isCommand(onPath('tandem', environment))) return { command: 'tandem', args: words }
  if (process.versions.electron === undefined) return { command: process.execPath, args: [script, ...words] }
  return { command: '/usr/bin/env', args: ['ELECTRON_RUN_AS_NODE=1', process.execPath, script, ...words] }
}

/** A packaged app has the same name on the PATH, and would open a window. */
function isCommand(found: string | undefined): boolean {
  if (found === undefined) return false
  return process.versions.electron === undefined || realpathSync(found) !== realpathSync(process.execPath)
}
