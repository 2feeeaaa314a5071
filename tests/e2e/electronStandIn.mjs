import { EventEmitter } from 'node:events'
import { requestInstanceLock, whenTold } from './electronStandInInstance.mjs'

// A stand-in for the `electron` module, for tests only: the shell's main process runs under plain Node, and its windows
// are pages that the test opens in Chromium. What would cross Electron's process border goes over this process's channel.

const paths = new Map()
const handlers = new Map()
const windows = []
/** What the person answers to the next dialogs, first come first served; without an answer the first button. */
const dialogAnswers = []
let isFocused = true
let menu = []
let windowsMade = 0

const tell = (message) => process.send?.(message)

export const app = Object.assign(new EventEmitter(), {
  isPackaged: false,
  accessibilitySupportEnabled: process.env.STAND_IN_SCREEN_READER === '1',
  getAppPath: () => '/app',
  setBadgeCount: (count) => tell({ type: 'badge', count }),
  whenReady: async () => undefined,
  getVersion: () => '0.0.0',
  setPath: (name, path) => paths.set(name, path),
  getPath: (name) => paths.get(name) ?? '/nonexistent',
  requestSingleInstanceLock: (data) =>
    requestInstanceLock(paths.get('userData'), data, (...words) => app.emit('second-instance', {}, ...words)),
  quit() {
    let prevented = false
    app.emit('will-quit', { preventDefault: () => (prevented = true) })
    if (!prevented) void whenTold().then(() => app.exit(0))
  },
  exit: (code = 0) => process.exit(code)
})

// What Electron does with the signal by itself.
process.on('SIGTERM', () => app.quit())

const session = {
  setPermissionRequestHandler: (handler) => (session.requestPermission = handler),
  setPermissionCheckHandler: (handler) => (session.checkPermission = handler)
}

class WebContents extends EventEmitter {
  mainFrame = { url: '' }
  session = session

  constructor(window) {
    super()
    this.window = window
  }

  setWindowOpenHandler(handler) {
    this.openHandler = handler
  }

  getURL() {
    return this.mainFrame.url
  }

  send(channel, ...args) {
    tell({ type: 'event', window: this.window, channel, args })
  }
}

export class BrowserWindow extends EventEmitter {
  id = ++windowsMade
  webContents = new WebContents(this.id)

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
    tell({ type: 'closed', window: this.id })
    if (windows.length === 0) app.emit('window-all-closed')
  }

  static getAllWindows() {
    return [...windows]
  }

  async loadURL(url) {
    this.webContents.mainFrame.url = `${new URL(url).origin}/`
    const { webPreferences, ...options } = this.options
    tell({ type: 'window', window: this.id, url, webPreferences, options })
    this.emit('ready-to-show')
  }

  show = () => undefined
  focus = () => undefined
  restore = () => undefined
  isMinimized = () => false
}

export const ipcMain = Object.assign(new EventEmitter(), {
  handle(channel, handler) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, handler)
  }
})
export const Menu = {
  setApplicationMenu: (built) => (menu = built.template),
  buildFromTemplate: (template) => ({ template, popup: () => tell({ type: 'menu', template: shown(template) }) })
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
    tell({ type: 'notification', ...this.options })
  }
}
export const nativeTheme = { shouldUseDarkColors: true }
export const shell = { openExternal: async (url) => tell({ type: 'opened', url }) }
export const dialog = {
  showErrorBox: (title, text) => tell({ type: 'errorBox', title, text }),
  async showMessageBox(first, second) {
    const { message, detail, buttons } = second ?? first
    tell({ type: 'messageBox', message, detail, buttons })
    return { response: dialogAnswers.shift() ?? 0 }
  },
  async showOpenDialog() {
    return { filePaths: dialogAnswers.shift() ?? [] }
  }
}

const shown = (template) =>
  template.map(({ label, role, id, accelerator, enabled, submenu }) => ({
    label,
    role,
    id,
    accelerator,
    enabled,
    submenu: submenu && shown(submenu)
  }))
const itemOf = (template, id) =>
  template.flatMap((item) => [item, ...(item.submenu ?? [])]).find((item) => item.id === id)
const windowOf = (id) => windows.find((window) => window.id === id) ?? windows[0]

const answers = {
  /** `frame` is the one in the page that calls; without it the window's own page does. */
  async invoke({ window, call, args, frame }) {
    const sender = windowOf(window).webContents
    if (frame?.isMain) sender.mainFrame.url = frame.url
    const senderFrame = frame && !frame.isMain ? { url: frame.url } : sender.mainFrame
    const handler = handlers.get(call)
    if (!handler) throw new Error(`No handler registered for '${call}'`)
    return handler({ sender, senderFrame }, ...args)
  },
  async refuse({ call, error }) {
    handlers.set(call, () => ({ ok: false, error }))
  },
  channels: async () => [...handlers.keys()],
  openWindow: async ({ window, url }) => windowOf(window).webContents.openHandler({ url }),
  async navigate({ url }) {
    return isPrevented((event) => windows[0].webContents.emit('will-navigate', { url, ...event }))
  },
  async attachWebview() {
    return isPrevented((event) => windows[0].webContents.emit('will-attach-webview', event, {}, {}))
  },
  async permission({ name }) {
    const { webContents } = windows[0]
    const requested = await new Promise((resolve) => session.requestPermission(webContents, name, resolve, {}))
    return { requested, checked: session.checkPermission(webContents, name, webContents.getURL(), {}) }
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
  menu: async () => shown(menu),
  async choose({ action }) {
    itemOf(menu, action).click()
  },
  async clickNotification() {
    Notification.all.at(-1).emit('click')
  },
  async secondStart({ words }) {
    app.emit('second-instance', {}, words)
  },
  async openFile({ path }) {
    return isPrevented((event) => app.emit('open-file', event, path))
  },
  async contextMenu(params) {
    windows[0].webContents.emit('context-menu', {}, params)
  },
  async crashPage({ reason }) {
    windows[0].webContents.emit('render-process-gone', {}, { reason })
  },
  async hangPage() {
    windows[0].emit('unresponsive')
  },
  async screenReader({ isThere }) {
    app.accessibilitySupportEnabled = isThere
    app.emit('accessibility-support-changed', {}, isThere)
  },
  windowCount: async () => windows.length
}

function isPrevented(emit) {
  let prevented = false
  emit({ preventDefault: () => (prevented = true) })
  return prevented
}

process.on('message', async ({ id, ask, ...rest }) => {
  try {
    tell({ type: 'answer', id, value: await answers[ask](rest) })
  } catch (failure) {
    tell({ type: 'answer', id, failure: String(failure) })
  }
})

export default { app, BrowserWindow, ipcMain, Menu, Notification, nativeTheme, shell, dialog }
