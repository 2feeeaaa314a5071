import { realpathSync } from 'node:fs'
import type { AgentClient, BridgeCommand } from './agentClients'
import { appImageWords } from './appImage'
import { onPath } from './onPath'

interface OwnBridgeOptions {
  environment: NodeJS.ProcessEnv
  /** What runs as `tandem` now. */
  script: string
  dataDir?: string | undefined
}

/** How clients start our bridge: by name where `tandem` is on their PATH, else with the full paths of what runs now. */
export function ownBridge(client: AgentClient, { environment, script, dataDir }: OwnBridgeOptions): BridgeCommand {
  const words = ['mcp', ...(dataDir === undefined ? [] : ['--data-dir', dataDir])]
  if (!client.isDesktop && isCommand(onPath('tandem', { PATH: pathOutside(environment) })))
    return { command: 'tandem', args: words }
  if (process.versions.electron === undefined) return { command: process.execPath, args: [script, ...words] }
  const packaged = appImageWords(environment, script, words) ?? [process.execPath, script, ...words]
  return { command: '/usr/bin/env', args: ['ELECTRON_RUN_AS_NODE=1', ...packaged] }
}

/** An AppImage puts its own folder first. */
function pathOutside({ PATH = '', APPDIR }: NodeJS.ProcessEnv): string {
  const folders = PATH.split(':')
  return folders.filter((folder) => !APPDIR || (folder !== APPDIR && !folder.startsWith(`${APPDIR}/`))).join(':')
}

/** A packaged app has the same name on the PATH, and would open a window. */
function isCommand(found: string | undefined): boolean {
  if (found === undefined) return false
  return process.versions.electron === undefined || realpathSync(found) !== realpathSync(process.execPath)
}
