import { BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { Logger } from '../core/log'
import { followUiEvents, type UiEventSources } from '../server/uiEvents'
import { answerUiCall } from '../server/uiHandlers'
import { type DesktopHandlers, desktopCalls } from '../shared/desktop'
import { AppError, type Result } from '../shared/errors'
import { calls, type Handlers } from '../shared/ipc'
import { isOwnOrigin } from './ownOrigin'

interface IpcOptions extends UiEventSources {
  handlers: Handlers
  origin: string
  log: Logger
}

/** The shell's own calls, for windows of any host: refused to foreign frames like the others. */
export function setupDesktopIpc(handlers: DesktopHandlers, origin: string): void {
  for (const call of Object.keys(desktopCalls) as (keyof DesktopHandlers)[]) {
    ipcMain.handle(call, (event) => (isOwnFrame(event, origin) ? answered(handlers[call]) : refused(call)))
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
export function setupIpc({ handlers, origin, log, ...sources }: IpcOptions): void {
  for (const call of Object.keys(calls)) {
    ipcMain.handle(call, (event, ...args: unknown[]): Promise<Result<unknown>> | Result<unknown> =>
      isOwnFrame(event, origin) ? answerUiCall(handlers, { call, args }, log) : refused(call)
    )
  }
  followUiEvents(sources, (event, ...args) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send(event, ...args)
  })
}

function isOwnFrame({ senderFrame, sender }: IpcMainInvokeEvent, origin: string): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOwnOrigin(senderFrame.url, origin)
}

function refused(call: string): Result<unknown> {
  return { ok: false, error: new AppError('FORBIDDEN_ORIGIN', `"${call}" came from a foreign frame`).toWire() }
}
