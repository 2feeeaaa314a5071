import { BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { Logger } from '../core/log'
import type { Workspaces } from '../core/workspace/workspaces'
import { answerUiCall } from '../server/uiHandlers'
import { AppError, type Result } from '../shared/errors'
import { calls, type Handlers } from '../shared/ipc'
import { isOwnOrigin } from './ownOrigin'

interface IpcOptions {
  handlers: Handlers
  workspaces: Workspaces
  origin: string
  log: Logger
}

/** Installs one handler per declared call and passes the host's events on; both only to the window's own page. */
export function setupIpc({ handlers, workspaces, origin, log }: IpcOptions): void {
  for (const call of Object.keys(calls)) {
    ipcMain.handle(call, (event, ...args: unknown[]): Promise<Result<unknown>> | Result<unknown> =>
      isOwnFrame(event, origin) ? answerUiCall(handlers, { call, args }, log) : refused(call)
    )
  }
  workspaces.onChange((key) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send('workspaceChanged', key)
  })
}

function isOwnFrame({ senderFrame, sender }: IpcMainInvokeEvent, origin: string): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOwnOrigin(senderFrame.url, origin)
}

function refused(call: string): Result<unknown> {
  return { ok: false, error: new AppError('FORBIDDEN_ORIGIN', `"${call}" came from a foreign frame`).toWire() }
}
