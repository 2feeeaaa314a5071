import { fileURLToPath } from 'node:url'
import { app, BrowserWindow, nativeTheme } from 'electron'
import type { Logger } from '../core/log'
import type { Desktop } from './desktop'
import { strings } from './strings'

const PRELOAD = fileURLToPath(new URL('../preload/index.cjs', import.meta.url))
// In memory only: the cookie of a window is worth nothing once its host has gone.
const PARTITION = 'tandem'
// The page's terminal colour, so that a window that is still loading does not flash.
const BACKGROUND = { dark: '#0e1012', light: '#fcfcfb' }

/** One window for one page; with its own terminals in this process it gets the bridge, else it is a plain browser. */
export async function openWindow({ openUrl, host }: Desktop): Promise<void> {
  const window = new BrowserWindow({
    title: strings.appName,
    width: 1200,
    height: 800,
    minWidth: 400,
    minHeight: 300,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      partition: PARTITION,
      ...(host ? { preload: PRELOAD } : {})
    }
  })
  window.once('ready-to-show', () => window.show())
  await window.loadURL(await openUrl())
}

/** A second start shows the window that is there; on macOS the app outlives its windows. */
export function setupWindows(desktop: Desktop, log: Logger): void {
  const open = () => openWindow(desktop).catch((err: unknown) => log.error({ err }, 'no window could be opened'))
  const show = () => {
    const [window] = BrowserWindow.getAllWindows()
    if (!window) return void open()
    if (window.isMinimized()) window.restore()
    window.focus()
  }
  app.on('second-instance', show)
  app.on('activate', show)
}
