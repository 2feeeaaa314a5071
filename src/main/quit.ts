import { app, BrowserWindow, dialog } from 'electron'
import type { Logger } from '../core/log'
import type { Desktop } from './desktop'
import { sayFarewell } from './farewell'
import { strings } from './strings'

/** Quitting lets go of the terminals; those in tmux go on running, and the person hears of it. */
export function setupQuit(desktop: Desktop, { folder, log }: { folder: string; log: Logger }): void {
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('browser-window-created', (_event, window) => askBeforeLast(window, desktop, { folder, log }))
  let stopping = false
  app.on('will-quit', (event) => {
    if (stopping) return
    stopping = true
    event.preventDefault()
    desktop
      .stop()
      .catch((err: unknown) => log.error({ err }, 'not everything could be closed'))
      .finally(() => app.exit())
  })
}

/** The last window is closed after the farewell, and stays when the person says so. */
function askBeforeLast(
  window: BrowserWindow,
  desktop: Desktop,
  { folder, log }: { folder: string; log: Logger }
): void {
  let mayClose = false
  window.on('close', (event) => {
    const { host } = desktop
    if (!host || mayClose || BrowserWindow.getAllWindows().length > 1) return
    event.preventDefault()
    sayFarewell(host.terminals.all(), folder)
      .catch((err: unknown) => {
        log.warn({ err }, 'the farewell could not be said')
        return true
      })
      .then((may) => {
        mayClose = may
        if (may) window.close()
      })
  })
}

/** A start that failed is told in the person's face: there is no window to say it in. */
export function explainAndQuit(failure: unknown): void {
  dialog.showErrorBox(strings.cannotStart, failure instanceof Error ? failure.message : String(failure))
  app.exit(1)
}
