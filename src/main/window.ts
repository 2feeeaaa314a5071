import { fileURLToPath } from 'node:url'
import { app, BrowserWindow, nativeTheme } from 'electron'
import type { Logger } from '../core/log'
import type { DesktopEvents } from '../shared/desktop'
import type { Desktop } from './desktop'
import { folderIn } from './folders'
import { frameOf } from './frame'
import { setupRecovery } from './recovery'
import { strings } from './strings'
import { setupTextMenu } from './textMenu'

const PRELOAD = fileURLToPath(new URL('../preload/index.cjs', import.meta.url))
// In memory only: the cookie of a window is worth nothing once its host has gone.
const PARTITION = 'tandem'
// The page's terminal colour, so that a window that is still loading does not flash.
const BACKGROUND = { dark: '#0e1012', light: '#fcfcfb' }

/** The windows of this process: opened, found again, and told what the shell has to say. */
export class Windows {
  readonly #desktop: Desktop
  readonly #log: Logger

  constructor(desktop: Desktop, log: Logger) {
    this.#desktop = desktop
    this.#log = log
  }

  /** One more window. It remembers where it was; of several the first one is remembered. */
  async open(): Promise<void> {
    const isFirst = BrowserWindow.getAllWindows().length === 0
    const window = new BrowserWindow({
      title: strings.appName,
      width: 1200,
      height: 800,
      minWidth: 400,
      minHeight: 300,
      show: false,
      autoHideMenuBar: true,
      ...frameOf(process.platform),
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      ...(isFirst ? { name: 'main', windowStatePersistence: true } : {}),
      webPreferences: {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
        partition: PARTITION,
        preload: PRELOAD
      }
    })
    window.once('ready-to-show', () => window.show())
    setupTextMenu(window.webContents)
    const reload = () => this.#load(window)
    setupRecovery(window, { reload, log: this.#log })
    await reload()
  }

  /** Every window shows the page of where the terminals are now; what was in it is there again. */
  async reloadAll(): Promise<void> {
    await Promise.all(BrowserWindow.getAllWindows().map((window) => this.#load(window)))
  }

  /** Says something to the window in front, which is opened if there is none. */
  async tell<K extends keyof DesktopEvents>(event: K, ...args: Parameters<DesktopEvents[K]>): Promise<void> {
    await this.show()
    this.#front()?.webContents.send(event, ...args)
  }

  /** Says something to every window, wherever the person looks. */
  tellAll<K extends keyof DesktopEvents>(event: K, ...args: Parameters<DesktopEvents[K]>): void {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send(event, ...args)
  }

  /** A second start shows the window that is there; on macOS the app outlives its windows. */
  async show(): Promise<void> {
    const window = this.#front()
    if (!window) return this.open()
    if (window.isMinimized()) window.restore()
    window.focus()
  }

  /** A folder that a start named is shown; whatever else stands among its words does nothing. */
  async showFolderIn(words: readonly string[]): Promise<void> {
    const folder = folderIn(words, app.isPackaged)
    await (folder === undefined ? this.show() : this.tell('showProject', folder))
  }

  /** Follows what the system asks of the app. */
  follow(): void {
    const attempt = (work: () => Promise<void>) =>
      void work().catch((err: unknown) => this.#log.error({ err }, 'no window could be opened'))
    app.on('second-instance', (_event, words) => attempt(() => this.showFolderIn(words)))
    app.on('activate', () => attempt(() => this.show()))
    app.on('open-file', (event, path) => {
      event.preventDefault()
      attempt(() => this.showFolderIn([process.execPath, ...(app.isPackaged ? [] : [app.getAppPath()]), path]))
    })
  }

  async #load(window: BrowserWindow): Promise<void> {
    await window.loadURL(await this.#desktop.pageUrl())
  }

  #front(): BrowserWindow | undefined {
    return BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
  }
}
