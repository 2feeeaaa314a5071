import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { TandemPage } from './tandemPage'

interface Fixtures {
  /** Home, data dir, project and tmux server of this test alone; everything in it is ended and removed afterwards. */
  world: World
  tandem: Tandem
  /** The page, opened through a one-time code; a console error fails the test. */
  app: TandemPage
}

// What a browser itself reports about a host that was killed on purpose; nothing a page could prevent.
const NETWORK_TROUBLE = /WebSocket connection to|Failed to load resource|ERR_CONNECTION_REFUSED/

interface Options {
  hostMayDie: boolean
  /** Nobody was here before: the page then opens a first terminal by itself. */
  isFirstVisit: boolean
}

export const test = base.extend<Fixtures & Options>({
  hostMayDie: [false, { option: true }],
  isFirstVisit: [false, { option: true }],

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

  tandem: async ({ world }, use) => {
    const tandem = await Tandem.start(world)
    await use(tandem)
    await tandem.end('SIGTERM')
  },

  app: async ({ page, tandem, hostMayDie }, use) => {
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    await page.goto(tandem.ready.openUrl)
    await use(new TandemPage(page, tandem))
    expect(complaints.filter((text) => !(hostMayDie && NETWORK_TROUBLE.test(text)))).toEqual([])
  }
})

export { expect }
