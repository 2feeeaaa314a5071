import { EventEmitter } from 'node:events'

// A stand-in for the `electron` module, for tests only: the shell's main process runs under plain Node, and its windows
// are pages that the test opens in Chromium. What would cross Electron's process border goes over this process's channel.

const paths = new Map()
const handlers = new Map()
const windows = []
/** What the person answers to the next dialogs, first come first served; without an answer the first button. */
const dialogAnswers = []
let isFocused = true
let menu = []

export const app = Object.assign(new EventEmitter(), {
  isPackaged: false,
  getAppPath: () => '/app',
  setBadgeCount: (count) => process.send({ type: 'badge', count }),
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
    app.emit('browser-window-created', {}, this)
  }

  static getFocusedWindow() {
    return isFocused ? (windows[0] ?? null) : null
  }

  /** As Electron does: whoever listens may prevent it, and the last one closed is told to the app. */
  close() {
    let prevented = false
    this.emit('close', { preventDefault: () => (prevented = true) })
    if (prevented) return
    windows.splice(windows.indexOf(this), 1)
    if (windows.length === 0) app.emit('window-all-closed')
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
export const Menu = {
  setApplicationMenu: (built) => (menu = built.template),
  buildFromTemplate: (template) => ({
    template,
    popup: () => process.send({ type: 'menu', template: shown(template) })
  })
}
export class Notification extends EventEmitter {
  static isSupported = () => true
  static all = []

  constructor(options) {
    super()
    this.options = options
  }

  show() {
    Notification.all.push(this)
    process.send({ type: 'notification', ...this.options })
  }
}
export const nativeTheme = { shouldUseDarkColors: true }
export const shell = { openExternal: async (url) => process.send({ type: 'opened', url }) }
export const dialog = {
  showErrorBox: (title, text) => process.send({ type: 'errorBox', title, text }),
  async showMessageBox(first, second) {
    const { message, detail, buttons } = second ?? first
    process.send({ type: 'messageBox', message, detail, buttons })
    return { response: dialogAnswers.shift() ?? 0 }
  },
  async showOpenDialog() {
    return { filePaths: dialogAnswers.shift() ?? [] }
  }
}

const shown = (template) =>
  template.map(({ label, role, id, accelerator, submenu }) => ({
    label,
    role,
    id,
    accelerator,
    submenu: submenu && shown(submenu)
  }))
const itemOf = (template, id) =>
  template.flatMap((item) => [item, ...(item.submenu ?? [])]).find((item) => item.id === id)

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
    for (const window of [...windows]) window.close()
  },
  async answerDialogs({ answers }) {
    dialogAnswers.push(...answers)
  },
  async focus({ focused }) {
    isFocused = focused
  },
  async menu() {
    return shown(menu)
  },
  async choose({ action }) {
    itemOf(menu, action).click()
  },
  async clickNotification() {
    Notification.all.at(-1).emit('click')
  },
  async secondStart({ words }) {
    app.emit('second-instance', {}, words)
  },
  async crashPage({ reason }) {
    windows[0].webContents.emit('render-process-gone', {}, { reason })
  },
  async windowCount() {
    return windows.length
  }
}

process.on('message', async ({ id, ask, ...rest }) => {
  process.send({ type: 'answer', id, value: await answers[ask](rest) })
})

export default { app, BrowserWindow, ipcMain, Menu, Notification, nativeTheme, shell, dialog }
