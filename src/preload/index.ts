import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import { type Bridge, calls, events } from '../shared/ipc'

const invokers = Object.keys(calls).map((name) => [name, (...args: unknown[]) => ipcRenderer.invoke(name, ...args)])

function on(event: string, listener: (...args: unknown[]) => void): () => void {
  if (!Object.hasOwn(events, event)) throw new Error(`Unknown event: ${event}`)
  const relay = (_event: IpcRendererEvent, ...args: unknown[]): void => listener(...args)
  ipcRenderer.on(event, relay)
  return () => ipcRenderer.off(event, relay)
}

// The one cast of this boundary: the loop above builds exactly what Bridge declares.
const bridge = { ...Object.fromEntries(invokers), on } as unknown as Bridge
contextBridge.exposeInMainWorld('app', bridge)
