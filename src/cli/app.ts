import { spawn } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { z } from 'zod'
import { openDataDir } from '../core/data/dataDir'
import { readEndpoint } from '../core/data/discovery'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed, HostClient } from './hostClient'
import { openInBrowser } from './openInBrowser'
import { spawnHost } from './spawnHost'
import { strings } from './strings'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
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
    .command('app [folder]', { hidden: true })
    .description(strings.appDescription)
    .option('--data-dir <dir>', strings.options.dataDir)
    .option('--json', strings.options.jsonAnswer)
    .action(async (folder: string | undefined, { dataDir, json }: AppOptions) => {
      const project = folder === undefined ? undefined : existingFolder(folder)
      const electron = json ? undefined : electronBinary(process.env)
      if (electron && hasDisplay(process.env)) return openWindow(electron, project)
      const { path } = openDataDir(process.env, dataDir)
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

/** `tandem` and `tandem <folder>` mean `tandem app …`: no word at all, or one that is a folder and no command. */
export function withAppCommand(words: readonly string[], commands: readonly string[]): string[] {
  const [first] = words
  if (first === undefined) return ['app']
  const isFolder = !first.startsWith('-') && !commands.includes(first) && (first.includes('/') || isDirectory(first))
  return isFolder ? ['app', ...words] : [...words]
}

/** Path of Electron's binary when there is one. Never asks the package itself: that starts a download. */
export function electronBinary(environment: NodeJS.ProcessEnv): string | undefined {
  const program = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'
  const folders = [environment.ELECTRON_OVERRIDE_DIST_PATH, join(ROOT, 'node_modules/electron/dist')]
  return folders.flatMap((folder) => (folder ? [join(folder, program)] : [])).find((path) => existsSync(path))
}

function hasDisplay({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): boolean {
  return process.platform === 'darwin' || Boolean(DISPLAY || WAYLAND_DISPLAY)
}

function existingFolder(folder: string): string {
  if (isDirectory(folder)) return realpathSync(resolve(folder))
  throw new CommandFailed(strings.noFolder(folder), EXIT_CODES.usage)
}

function isDirectory(path: string): boolean {
  return statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() === true
}

function openWindow(electron: string, project: string | undefined): void {
  const words = project === undefined ? [ROOT] : [ROOT, project]
  spawn(electron, words, { detached: true, stdio: 'ignore' }).unref()
  process.stderr.write(`${strings.openingApp}\n`)
}

/** A host of its own that stays when this command is over. */
async function startHost(dataDir: string, umask: number): Promise<HostClient> {
  const child = spawnHost(dataDir, { umask })
  const deadline = performance.now() + START_LIMIT_MS
  while (performance.now() < deadline && child.exitCode === null) {
    if (readEndpoint(dataDir)) return HostClient.find(dataDir)
    await wait(LOOK_AGAIN_MS)
  }
  throw new CommandFailed(strings.hostNotStarted, EXIT_CODES.failed)
}

/** A workspace is known by its first terminal; one that has terminals is left as it is. */
async function makeKnown(client: HostClient, project: string): Promise<void> {
  const terminals = await client.terminals()
  if (terminals.some((terminal) => terminal.project === project)) return
  await client.request(z.object({ id: z.string() }), 'POST', '/api/terminal/sessions', { project, session: SESSION })
}
