import type { DesktopTools } from '../../../shared/desktop'
import type { Bridge } from '../../../shared/ipc'
import type { Connection, Reachability } from './connection'
import { SocketBridge } from './socketBridge'

declare global {
  interface Window {
    /** Put there by the desktop shell's preload; absent in a browser. */
    app?: Bridge
    desktop?: DesktopTools
  }
}

/** The way to the host that this page has, whichever shell it runs in. */
export interface PageBridge {
  bridge: Bridge
  retryNow(): void
}

/** In the desktop window calls go through its own shell and cannot drop; in a browser over the /ui WebSocket. */
export function openPageBridge(onConnection: (connection: Connection) => void): PageBridge {
  if (window.app) {
    onConnection({ state: 'connected' })
    return { bridge: window.app, retryNow: () => undefined }
  }
  const socketBridge = new SocketBridge({ openSocket: openUiSocket, probe, onConnection })
  return { bridge: socketBridge.bridge, retryNow: () => socketBridge.retryNow() }
}

function openUiSocket(): WebSocket {
  const address = new URL('/ui', location.href)
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  return new WebSocket(address)
}

/** A refused upgrade looks like a dead host to a page; a plain request tells them apart. */
async function probe(): Promise<Reachability> {
  try {
    const response = await fetch('/api/workspaces', { credentials: 'same-origin', cache: 'no-store' })
    return response.status === 401 ? 'signedOut' : 'reachable'
  } catch {
    return 'down'
  }
}
