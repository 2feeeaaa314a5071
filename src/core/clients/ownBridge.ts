import { realpathSync } from 'node:fs'
import type { AgentClient, BridgeCommand } from './agentClients'
import { appImageWords } from './appImage'
import { onPath } from './onPath'

interface OwnPlace {
  environment: NodeJS.ProcessEnv
  /** What runs as `tandem`. */
  script: string
  dataDir?: string | undefined
}

/** How clients start our bridge. */
export function ownBridge(client: AgentClient, place: OwnPlace): BridgeCommand {
  return ownCommand(['mcp'], place, client)
}

/** The words by which a client's own hook tells us about its agent. */
export function ownHook(client: string, place: OwnPlace): string[] {
  const { command, args } = ownCommand(['hook', client], place, { isDesktop: false })
  return [command, ...args]
}

/** How others run a command of ours: by name where `tandem` is on their PATH, else with the full paths of what runs now. */
export function ownCommand(
  command: readonly string[],
  { environment, script, dataDir }: OwnPlace,
  { isDesktop }: Pick<AgentClient, 'isDesktop'>
): BridgeCommand {
  const words = [...command, ...(dataDir === undefined ? [] : ['--data-dir', dataDir])]
  if (!isDesktop && isCommand(onPath('tandem', { PATH: pathOutside(environment) })))
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
