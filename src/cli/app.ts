import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { namedDataDir, openDataDir } from '../core/data/dataDir'
import { readEndpoint } from '../core/data/discovery'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed, HostClient } from './hostClient'
import { openInBrowser } from './openInBrowser'
import { appProgram, hasDisplay, openWindow } from './openWindow'
import { spawnHost } from './spawnHost'
import { strings } from './strings'

const START_LIMIT_MS = 30_000
const LOOK_AGAIN_MS = 50
const SESSION = 'default'

interface AppOptions {
  dataDir?: string
  json?: true
}

/** `tandem [folder]`: the app, there. Without Electron the same app in the browser, from a host that is started if need be. */
export function addAppCommand(program: Command, { userUmask }: { userUmask: number }): void {
  program
    .command('app [folder]')
    .description(strings.appDescription)
    .option('--data-dir <dir>', strings.options.dataDir)
    .option('--json', strings.options.jsonAnswer)
    .action(async (folder: string | undefined, { dataDir, json }: AppOptions) => {
      const project = folder === undefined ? undefined : existingFolder(folder)
      const opened = openDataDir(process.env, dataDir)
      const { path } = opened
      const app = json || !hasDisplay(process.env) ? undefined : appProgram(process.env)
      if (app) {
        const named = namedDataDir(process.env, opened)
        return openWindow(app, { folder: project, dataDir: named, umask: userUmask })
      }
      const client = readEndpoint(path) ? HostClient.find(path) : await startHost(path, userUmask)
      if (project !== undefined) await makeKnown(client, project)
      const opens = !json && hasDisplay(process.env)
      const audience = opens ? { isForOwnUser: true } : {}
      const answer = z.object({ openUrl: z.string() })
      const { openUrl } = await client.request(answer, 'POST', '/api/open-code', audience)
      process.stdout.write(json ? `${JSON.stringify({ openUrl, project })}\n` : `${openUrl}\n`)
      if (opens) openInBrowser(openUrl)
    })
}

/**
 * `tandem` and `tandem <folder>` mean `tandem app …`: no word at all, or one that is a folder and no command. Flags that
 * stand before a command belong to it.
 */
export function withAppCommand(words: readonly string[], commands: readonly string[]): string[] {
  const flags = words.slice(0, leadingFlags(words))
  const [first, ...others] = words.slice(flags.length)
  if (first === undefined) return ['app', ...flags]
  if (commands.includes(first)) return [first, ...flags, ...others]
  const isFolder = !first.startsWith('-') && (first.includes('/') || isDirectory(first))
  return isFolder ? ['app', ...flags, first, ...others] : [first, ...others, ...flags]
}

/** How many words are flags of this command, with their values. */
function leadingFlags(words: readonly string[]): number {
  const [first = ''] = words
  const count = first === '--data-dir' ? 2 : first === '--json' || first.startsWith('--data-dir=') ? 1 : 0
  return count === 0 ? 0 : count + leadingFlags(words.slice(count))
}

function existingFolder(folder: string): string {
  if (isDirectory(folder)) return realpathSync(resolve(folder))
  throw new CommandFailed(strings.noFolder(folder), EXIT_CODES.usage)
}

function isDirectory(path: string): boolean {
  return statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() === true
}

/** A host of its own that stays when this command is over. */
async function startHost(dataDir: string, umask: number): Promise<HostClient> {
  const child = spawnHost(dataDir, { umask })
  let failure: Error | undefined
  child.once('error', (reason) => {
    failure = reason
  })
  // Where another one was quicker, that one is on its way.
  const isComing = () => child.exitCode === null || child.exitCode === EXIT_CODES.hostRunning
  const deadline = performance.now() + START_LIMIT_MS
  while (performance.now() < deadline && !failure && child.signalCode === null && isComing()) {
    if (readEndpoint(dataDir)) return HostClient.find(dataDir)
    await wait(LOOK_AGAIN_MS)
  }
  throw new CommandFailed(strings.hostNotStarted(failure?.message), EXIT_CODES.failed)
}

/** A workspace is known by its first terminal; one that has terminals is left as it is. */
async function makeKnown(client: HostClient, project: string): Promise<void> {
  const terminals = await client.terminals()
  if (terminals.some((terminal) => terminal.project === project)) return
  await client.request(z.object({ id: z.string() }), 'POST', '/api/terminal/sessions', { project, session: SESSION })
}
