import { app, type BrowserWindow, dialog } from 'electron'
import type { Logger } from '../core/log'
import { strings } from './strings'

/** More than this in a minute is a page that cannot live: the person is asked instead of trying for ever. */
const MAX_RELOADS = 3
const WINDOW_MS = 60_000
/** Ends that somebody wanted. */
const WANTED_ENDS = ['clean-exit', 'killed-by-user']

interface RecoveryOptions {
  /** Loads the page afresh; the terminals are in the host and have noticed nothing. */
  reload(): Promise<void>
  log: Logger
}

/** A page that crashed is loaded again, one that hangs is asked about. */
export function setupRecovery(window: BrowserWindow, { reload, log }: RecoveryOptions): void {
  const attempts: number[] = []
  const again = () => reload().catch((err: unknown) => log.error({ err }, 'the page could not be loaded again'))
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (WANTED_ENDS.includes(reason)) return
    log.warn({ reason }, 'the page’s process is gone')
    const now = Date.now()
    attempts.push(now)
    const recent = attempts.filter((time) => now - time < WINDOW_MS)
    if (recent.length <= MAX_RELOADS) void again()
    else void askThen(window, strings.pageCrashes, again)
  })
  window.on('unresponsive', () => void askThen(window, strings.pageHangs, again))
}

async function askThen(window: BrowserWindow, message: string, again: () => unknown): Promise<void> {
  const { reload, wait } = strings.buttons
  const { response } = await dialog.showMessageBox(window, { type: 'warning', message, buttons: [reload, wait] })
  if (response === 0) again()
}

/** A graphics process that is gone comes back by itself; it is only noted. */
export function noteLostProcesses(log: Logger): void {
  app.on('child-process-gone', (_event, { type, reason }) => log.warn({ type, reason }, 'a helper process is gone'))
}
