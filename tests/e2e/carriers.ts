import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import type { WireError } from '../../src/shared/errors'
import type { Calls, UiRequest } from '../../src/shared/ipc'
import { Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'
import { Desktop } from './desktop'

/**
 * What carries the window's contract in a test: a browser and `tandem serve`; the built desktop shell with a stand-in for
 * Electron and real Chromium pages; or Electron itself, where its binary is found.
 */
export type Carrier = 'browser' | 'stand-in' | 'electron'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PROGRAM = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'

/** Path of Electron's binary when there is one. Never asks the package itself: that starts a download. */
export function electronBinary(): string | undefined {
  const folders = [process.env.ELECTRON_OVERRIDE_DIST_PATH, join(ROOT, 'node_modules/electron/dist')]
  return folders.flatMap((folder) => (folder ? [join(folder, PROGRAM)] : [])).find((path) => existsSync(path))
}

export interface Refusal {
  page: Page
  call: keyof Calls
  error: WireError
}

/** A product that runs, with its first window. */
export interface Running {
  tandem: Tandem
  shell: 'browser' | 'desktop'
  /** The stand-in's shell, for tests that ask it what it did. */
  desktop?: Desktop
  /** Shows the window; in this page, where pages are ours to give. */
  open(page: Page): Promise<Page>
  another(page: Page): Promise<Page>
  /** A call of the window is answered with a failure, from its next load on. */
  refuse(refusal: Refusal): Promise<void>
  /** Addresses that were handed to the system's browser, or opened in tabs beside the page. */
  outside(): string[]
  close(): Promise<void>
}

const STARTS: Record<Carrier, (world: World) => Promise<Running>> = {
  browser: startBrowser,
  'stand-in': startStandIn,
  electron: startElectron
}

export function startCarrier(carrier: Carrier, world: World): Promise<Running> {
  return STARTS[carrier](world)
}

async function startBrowser(world: World): Promise<Running> {
  const tandem = await Tandem.start(world)
  const own = new Set<Page>()
  const all = new Set<Page>()
  return {
    tandem,
    shell: 'browser',
    async open(page) {
      own.add(page)
      page.context().on('page', (opened) => all.add(opened))
      await page.goto(tandem.ready.openUrl)
      return page
    },
    async another(page) {
      const other = await page.context().newPage()
      own.add(other)
      await other.goto(tandem.ready.url)
      return other
    },
    refuse: refuseInSocket,
    outside: () => [...all].filter((page) => !own.has(page)).map((page) => page.url()),
    close: async () => void (await tandem.end('SIGTERM'))
  }
}

async function refuseInSocket({ page, call, error }: Refusal): Promise<void> {
  await page.routeWebSocket(/\/ui$/, (socket) => {
    const host = socket.connectToServer()
    socket.onMessage((text) => {
      const request = JSON.parse(String(text)) as UiRequest
      if (request.call !== call) host.send(text)
      else socket.send(JSON.stringify({ id: request.id, result: { ok: false, error } }))
    })
  })
}

async function startStandIn(world: World): Promise<Running> {
  const desktop = new Desktop(world)
  const tandem = await Tandem.found(world, desktop.child)
  return {
    tandem,
    desktop,
    shell: 'desktop',
    async open(page) {
      await desktop.show(page)
      return page
    },
    async another() {
      const before = desktop.shown('window').length
      await desktop.ask('choose', { action: 'newWindow' })
      const { window } = await until(() => desktop.shown('window')[before], { what: 'another window' })
      return desktop.pageOf(window)
    },
    refuse: async ({ call, error }) => void (await desktop.ask('refuse', { call, error })),
    outside: () => desktop.opened,
    close: () => desktop.end()
  }
}

async function startElectron(world: World): Promise<Running> {
  const executablePath = electronBinary()
  if (!executablePath) throw new Error('there is no Electron binary')
  const environment = Object.entries({ ...world.environment, TANDEM_DATA_DIR: world.dataDir })
  const env = Object.fromEntries(environment.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  const app = await _electron.launch({ executablePath, args: [ROOT], env })
  const spied = await spyOnOutside(app)
  return {
    tandem: await Tandem.found(world, app.process()),
    shell: 'desktop',
    open: () => app.firstWindow(),
    async another(page) {
      const [other] = await Promise.all([app.waitForEvent('window'), page.evaluate('window.desktop.newWindow()')])
      return other
    },
    refuse: ({ call, error }) =>
      app.evaluate(
        ({ ipcMain }, refusal) => {
          ipcMain.removeHandler(refusal.call)
          ipcMain.handle(refusal.call, () => ({ ok: false, error: refusal.error }))
        },
        { call, error }
      ),
    outside: () => spied,
    close: () => app.close()
  }
}

/** Nothing is handed to the system's browser by a test; what would be is kept. */
async function spyOnOutside(app: ElectronApplication): Promise<string[]> {
  const spied: string[] = []
  app.on('console', (message) => {
    const [, url] = /^outside: (.*)$/.exec(message.text()) ?? []
    if (url) spied.push(url)
  })
  await app.evaluate(({ shell }) => {
    shell.openExternal = async (url) => console.log(`outside: ${url}`)
  })
  return spied
}
