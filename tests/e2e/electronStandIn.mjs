import { EventEmitter } from 'node:events'

// A stand-in for the `electron` module, for tests only: the shell's main process runs under plain Node, and its windows
// are pages that the test opens in Chromium. What would cross Electron's process border goes over this process's channel.

const paths = new Map()
const handlers = new Map()
const windows = []

export const app = Object.assign(new EventEmitter(), {
  whenReady: async () => undefined,
  getVersion: () => '0.0.0',
  setPath: (name, path) => paths.set(name, path),
  getPath: (name) => paths.get(name) ?? '/nonexistent',
  requestSingleInstanceLock: () => true,
  quit() {
    let prevented = false
    app.emit('will-quit', { preventDefault: () => (prevented = true) })
    if (!prevented) app.exit(0)
  },
  exit: (code = 0) => process.exit(code)
})

class WebContents extends EventEmitter {
  mainFrame = { url: '' }
  session = {
    setPermissionRequestHandler: (handler) => (this.requestPermission = handler),
    setPermissionCheckHandler: (handler) => (this.checkPermission = handler)
  }

  setWindowOpenHandler(handler) {
    this.openHandler = handler
  }

  getURL() {
    return this.mainFrame.url
  }

  send(channel, ...args) {
    process.send({ type: 'event', channel, args })
  }
}

export class BrowserWindow extends EventEmitter {
  webContents = new WebContents()

  constructor(options) {
    super()
    this.options = options
    windows.push(this)
    app.emit('web-contents-created', {}, this.webContents)
  }

  static getAllWindows() {
    return [...windows]
  }

  async loadURL(url) {
    this.webContents.mainFrame.url = `${new URL(url).origin}/`
    process.send({ type: 'window', url, webPreferences: this.options.webPreferences })
    this.emit('ready-to-show')
  }

  show = () => undefined
  focus = () => undefined
  restore = () => undefined
  isMinimized = () => false
}

export const ipcMain = Object.assign(new EventEmitter(), {
  handle: (channel, handler) => handlers.set(channel, handler)
})
export const Menu = { setApplicationMenu: () => undefined, buildFromTemplate: () => ({}) }
export const nativeTheme = { shouldUseDarkColors: true }
export const shell = { openExternal: async (url) => process.send({ type: 'opened', url }) }
export const dialog = { showErrorBox: (title, text) => process.send({ type: 'errorBox', title, text }) }

const answers = {
  async invoke({ call, args, frameUrl, subframe }) {
    const sender = windows[0].webContents
    const frame = frameUrl === undefined ? sender.mainFrame : { url: frameUrl }
    if (frameUrl !== undefined && !subframe) sender.mainFrame = frame
    return handlers.get(call)({ sender, senderFrame: frame }, ...args)
  },
  async openWindow({ url }) {
    return windows[0].webContents.openHandler({ url })
  },
  async navigate({ url }) {
    let prevented = false
    windows[0].webContents.emit('will-navigate', { url, preventDefault: () => (prevented = true) })
    return prevented
  },
  async permission({ name }) {
    return windows[0].webContents.checkPermission(windows[0].webContents, name)
  },
  async closeWindows() {
    windows.splice(0)
    app.emit('window-all-closed')
  }
}

process.on('message', async ({ id, ask, ...rest }) => {
  process.send({ type: 'answer', id, value: await answers[ask](rest) })
})

export default { app, BrowserWindow, ipcMain, Menu, nativeTheme, shell, dialog }
