import { app, dialog } from 'electron'
import type { Logger } from '../core/log'
import type { Desktop } from './desktop'
import { strings } from './strings'

/** Closing the last window or quitting lets go of the terminals; those in tmux go on running. */
export function setupQuit({ stop }: Desktop, log: Logger): void {
  let stopping = false
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('will-quit', (event) => {
    if (stopping) return
    stopping = true
    event.preventDefault()
    stop()
      .catch((err: unknown) => log.error({ err }, 'not everything could be closed'))
      .finally(() => app.exit())
  })
}

/** A start that failed is told in the person's face: there is no window to say it in. */
export function explainAndQuit(failure: unknown): void {
  dialog.showErrorBox(strings.cannotStart, failure instanceof Error ? failure.message : String(failure))
  app.exit(1)
}
