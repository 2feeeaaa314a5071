import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron'
import { CLIENT_MARK, type DesktopTools, desktopCalls, desktopEvents } from '../shared/desktop'
import { type Bridge, calls, events } from '../shared/ipc'

// A preload runs in the page, whose types this side of the house does not have.
declare const location: { hash: string }

/** One function per declared call, and one that listens to the declared events. */
function carrier(callNames: object, eventNames: object) {
  const invoke = (name: string) => [name, (...args: unknown[]) => ipcRenderer.invoke(name, ...args)]
  return { ...Object.fromEntries(Object.keys(callNames).map(invoke)), on: listenTo(eventNames) }
}

function listenTo(eventNames: object) {
  return (event: string, listener: (...args: unknown[]) => void): (() => void) => {
    if (!Object.hasOwn(eventNames, event)) throw new Error(`Unknown event: ${event}`)
    const relay = (_event: IpcRendererEvent, ...args: unknown[]): void => listener(...args)
    ipcRenderer.on(event, relay)
    return () => ipcRenderer.off(event, relay)
  }
}

// The two casts of this boundary: the loop above builds exactly what Bridge and DesktopTools declare.
if (location.hash !== CLIENT_MARK) {
  contextBridge.exposeInMainWorld('app', carrier(calls, events) as unknown as Bridge)
}

const desktop = {
  ...carrier(desktopCalls, desktopEvents),
  // Only a dropped or chosen file reaches this; anything else is refused by Electron itself.
  pathOf: (file: object) => webUtils.getPathForFile(file as File)
} as unknown as DesktopTools
contextBridge.exposeInMainWorld('desktop', desktop)
