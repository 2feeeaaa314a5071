import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInAppImage } from '../core/clients/appImage'
import { EXIT_CODES } from './exitCodes'
import { CommandFailed } from './hostClient'
import { strings } from './strings'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A window that cannot be opened is gone by then. */
const STAYS_MS = 1000

/** What opens the app's window. */
export interface AppProgram {
  program: string
  words: readonly string[]
}

/** In a package the app is the program that runs this; else Electron's binary, where there is one, opens it. */
export function appProgram(environment: NodeJS.ProcessEnv): AppProgram | undefined {
  if (process.versions.electron !== undefined) {
    const { APPIMAGE } = environment
    const isImage = APPIMAGE !== undefined && isInAppImage(environment, process.execPath)
    return { program: isImage ? APPIMAGE : process.execPath, words: [] }
  }
  const program = electronBinary(environment)
  return program === undefined ? undefined : { program, words: [ROOT] }
}

/** Path of Electron's binary when there is one. Never asks the package itself: that starts a download. */
function electronBinary(environment: NodeJS.ProcessEnv): string | undefined {
  const name = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'
  const folders = [environment.ELECTRON_OVERRIDE_DIST_PATH, join(ROOT, 'node_modules/electron/dist')]
  return folders.flatMap((folder) => (folder ? [join(folder, name)] : [])).find((path) => existsSync(path))
}

export function hasDisplay({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): boolean {
  return process.platform === 'darwin' || Boolean(DISPLAY || WAYLAND_DISPLAY)
}

interface WindowOptions {
  folder: string | undefined
  /** Named only where it is not the usual one. */
  dataDir: string | undefined
  /** The person's own: programs in terminals are to have it. */
  umask: number
}

/** Opens the app in a process of its own, and says so when it does not stay. */
export async function openWindow({ program, words }: AppProgram, options: WindowOptions): Promise<void> {
  const child = start(program, options.folder === undefined ? words : [...words, options.folder], options)
  child.unref()
  const trouble = await troubleOf(child)
  if (trouble !== undefined) throw new CommandFailed(strings.windowNotOpened(trouble), EXIT_CODES.failed)
  process.stderr.write(`${strings.openingApp}\n`)
}

function start(program: string, words: readonly string[], { dataDir, umask }: WindowOptions): ChildProcess {
  const { ELECTRON_RUN_AS_NODE: _, TANDEM_DATA_DIR: __, ...env } = process.env
  if (dataDir !== undefined) env.TANDEM_DATA_DIR = dataDir
  const ownUmask = process.umask(umask)
  try {
    return spawn(program, words, { detached: true, stdio: 'ignore', env })
  } finally {
    process.umask(ownUmask)
  }
}

/** One that ends at once with 0 has shown the window that was there already. */
async function troubleOf(child: ChildProcess): Promise<string | undefined> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), STAYS_MS)
  try {
    const [code, signal] = (await once(child, 'exit', { signal: limit.signal })) as [number | null, string | null]
    return code === 0 ? undefined : `${strings.endedWith} ${code ?? signal}`
  } catch (failure) {
    if (limit.signal.aborted) return undefined
    return failure instanceof Error ? failure.message : String(failure)
  } finally {
    clearTimeout(timer)
  }
}
