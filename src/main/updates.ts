import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import type { Logger } from '../core/log'

const LOOK_EVERY_MS = 6 * 3_600_000

export interface Updates {
  /** Leaves and comes back as the newer version; does nothing when there is none. */
  restart(): void
}

interface UpdateOptions {
  choice(): 'auto' | 'off'
  log: Logger
  /** Downloaded: it takes effect at the next start. */
  ready(version: string): void
}

const NO_UPDATES: Updates = { restart: () => undefined }

/**
 * Looks for newer versions where the package says where to look. Nothing of it is loaded otherwise: an app that runs from
 * its sources, or that a package manager installed, is updated by whoever put it there.
 */
export async function setupUpdates({ choice, log, ready }: UpdateOptions): Promise<Updates> {
  if (!app.isPackaged || isManaged() || !existsSync(join(process.resourcesPath, 'app-update.yml'))) return NO_UPDATES
  const { autoUpdater } = await import('electron-updater')
  autoUpdater.logger = null
  autoUpdater.on('update-downloaded', ({ version }) => ready(version))
  autoUpdater.on('error', (err) => log.warn({ err }, 'no update could be had'))
  const look = () => {
    // A failure is told by the event above.
    if (choice() === 'auto') autoUpdater.checkForUpdates().catch(() => undefined)
  }
  look()
  setInterval(look, LOOK_EVERY_MS).unref()
  return { restart: () => autoUpdater.quitAndInstall() }
}

/** On Linux only an AppImage is one's own; the files of a package belong to the system. */
function isManaged(): boolean {
  return process.platform === 'linux' && !process.env.APPIMAGE
}
