import { BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { Logger } from '../core/log'
import { followUiEvents } from '../server/uiEvents'
import { answerUiCall } from '../server/uiHandlers'
import { type DesktopHandlers, desktopCalls } from '../shared/desktop'
import { AppError, type Result } from '../shared/errors'
import { calls } from '../shared/ipc'
import type { Desktop } from './desktop'
import { isOwnOrigin } from './ownOrigin'
import type { OwnHost } from './sides'
import { strings } from './strings'

/** The shell's own calls, for windows of any host: refused to foreign frames like the others. */
export function setupDesktopIpc(handlers: DesktopHandlers, desktop: Desktop): void {
  for (const call of Object.keys(desktopCalls) as (keyof DesktopHandlers)[]) {
    ipcMain.handle(call, (event) => (isOwnFrame(event, desktop.origin) ? answered(handlers[call]) : refused(call)))
  }
}

async function answered(run: () => unknown): Promise<Result<unknown>> {
  try {
    return { ok: true, value: await run() }
  } catch (thrown) {
    return { ok: false, error: AppError.from(thrown).toWire() }
  }
}

/** Installs one handler per declared call and passes the host's events on; both only to the window's own page. */
export function setupIpc(desktop: Desktop, log: Logger): void {
  for (const call of Object.keys(calls)) {
    ipcMain.handle(call, (event, ...args: unknown[]): Promise<Result<unknown>> | Result<unknown> => {
      if (!isOwnFrame(event, desktop.origin)) return refused(call)
      return desktop.host ? answerUiCall(desktop.host.handlers, { call, args }, log) : notHere(call)
    })
  }
  whileHost(desktop, (host) =>
    followUiEvents(host, (event, ...args) => {
      for (const window of BrowserWindow.getAllWindows()) window.webContents.send(event, ...args)
    })
  )
}

/** Does something with the host in this process for as long as it is here, and again with the next one. */
export function whileHost(desktop: Desktop, follow: (host: OwnHost) => () => void): void {
  whileThere(desktop, () => desktop.host, follow)
}

/** The same with a host that is another process. */
export function whileElsewhere(desktop: Desktop, follow: (openUrl: () => Promise<string>) => () => void): void {
  whileThere(desktop, () => desktop.elsewhere, follow)
}

function whileThere<T>(desktop: Desktop, find: () => T | undefined, follow: (found: T) => () => void): void {
  let stop: (() => void) | undefined
  const look = () => {
    stop?.()
    const found = find()
    stop = found && follow(found)
  }
  desktop.onMove(look)
  look()
}

function isOwnFrame({ senderFrame, sender }: IpcMainInvokeEvent, origin: string): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOwnOrigin(senderFrame.url, origin)
}

function notHere(call: string): Result<unknown> {
  return { ok: false, error: new AppError('HOST_UNAVAILABLE', strings.changingHands(call)).toWire() }
}

function refused(call: string): Result<unknown> {
  return { ok: false, error: new AppError('FORBIDDEN_ORIGIN', `"${call}" came from a foreign frame`).toWire() }
}
