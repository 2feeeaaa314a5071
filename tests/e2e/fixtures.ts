import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { makeWorld, type Tandem, type World } from '../harness/tandem'
import { type Carrier, electronBinary, type Running, startCarrier } from './carriers'
import { Desktop, type DesktopOptions } from './desktop'
import { TandemPage } from './tandemPage'

interface Fixtures {
  /** Home, data dir, project and tmux server of this test alone; everything in it is ended and removed afterwards. */
  world: World
  /** The product on this project's carrier. */
  running: Running
  tandem: Tandem
  /** Starts the desktop shell with its stand-in for Electron; ended with the test. */
  startDesktop(options?: DesktopOptions): Desktop
  /** The window; a console error in it fails the test. */
  app: TandemPage
  carrierIsThere: undefined
}

export interface FixtureOptions {
  carrier: Carrier
  hostMayDie: boolean
  /** Nobody was here before: the page then opens a first terminal by itself. */
  isFirstVisit: boolean
}

// The emulator says so when the machine let it wait.
const SLOW_MACHINE = /^task queue exceeded allotted deadline/
// What a browser itself reports about a host that was killed on purpose; nothing a page could prevent.
const NETWORK_TROUBLE = /WebSocket connection to|Failed to load resource|ERR_CONNECTION_REFUSED/

export const test = base.extend<Fixtures & FixtureOptions>({
  carrier: ['browser', { option: true }],
  hostMayDie: [false, { option: true }],
  isFirstVisit: [false, { option: true }],

  carrierIsThere: [
    async ({ carrier }, use, { skip }) => {
      skip(carrier === 'electron' && electronBinary() === undefined, 'There is no Electron binary on this machine')
      await use(undefined)
    },
    { auto: true }
  ],

  world: async ({ isFirstVisit }, use) => {
    const world = makeWorld()
    // Also what a killed host leaves goes with the world.
    const runtime = join(world.root, 'runtime')
    mkdirSync(runtime, { mode: 0o700 })
    world.environment.XDG_RUNTIME_DIR = runtime
    // A prompt without surprises, whoever runs the tests.
    writeFileSync(join(world.home, '.bashrc'), "PS1='ready> '\n")
    if (!isFirstVisit) {
      const earlier = [['visit', JSON.stringify({ startedAt: '' })]]
      writeFileSync(join(world.dataDir, 'window-memory.json'), JSON.stringify(earlier), { mode: 0o600 })
    }
    try {
      await use(world)
    } finally {
      await world.remove()
    }
  },

  startDesktop: async ({ world }, use) => {
    const started: Desktop[] = []
    await use((options) => {
      const desktop = new Desktop(world, options)
      started.push(desktop)
      return desktop
    })
    for (const desktop of started) await desktop.end()
  },

  running: async ({ world, carrier }, use) => {
    const running = await startCarrier(carrier, world)
    await use(running)
    await running.close()
  },

  tandem: async ({ running }, use) => use(running.tandem),

  app: async ({ page, running, hostMayDie }, use) => {
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    await use(new TandemPage(await running.open(page), running.tandem, running))
    const isTrouble = (text: string) => !SLOW_MACHINE.test(text) && !(hostMayDie && NETWORK_TROUBLE.test(text))
    expect(complaints.filter(isTrouble)).toEqual([])
  }
})

export { expect }
