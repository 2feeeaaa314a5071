import { readFileSync } from 'node:fs'

/** The preload as it was built, in a page: `require('electron')` leads to the test. As in Electron, not in its frames. */
export function preloadScript(file: string, words: unknown): string {
  return `(() => {
    if (window !== window.top) return
    const process = { argv: ${JSON.stringify(words)} }
    const listeners = (window.standInListeners = new Map())
    const of = (channel) => listeners.get(channel) ?? listeners.set(channel, new Set()).get(channel)
    // What a window's handler for new windows is asked about.
    window.open = (url) => {
      window.standInOpen(String(url))
      return null
    }
    const standIn = {
      contextBridge: { exposeInMainWorld: (name, value) => { window[name] = value } },
      ipcRenderer: {
        invoke: (call, ...args) => window.standInInvoke(call, args),
        on: (channel, listener) => of(channel).add(listener),
        off: (channel, listener) => of(channel).delete(listener)
      },
      webUtils: { getPathForFile: (file) => file.standInPath ?? '' }
    }
    const module = { exports: {} }
    ;((require, module, exports) => {
      ${readFileSync(file, 'utf8')}
    })(() => standIn, module, module.exports)
  })()`
}
