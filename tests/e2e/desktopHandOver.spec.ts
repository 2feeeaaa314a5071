import type { Page } from '@playwright/test'
import { readEndpoint } from '../../src/core/data/discovery'
import { otherVersion } from '../harness/otherVersion'
import { runTandem, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'
import type { Desktop } from './desktop'
import { expect, test } from './fixtures'
import { TandemPage } from './tandemPage'

// One host per data dir, and the desktop app is one of those that can be it: who owns the terminals changes, the programs
// in them and the windows on them go on.

const ownerOf = (world: World) => readEndpoint(world.dataDir)?.pid
/** Whether the page of a window speaks to its own shell, or by itself to another process; waits until it does. */
const speaksTo = (page: Page, whom: 'shell' | 'other') =>
  expect(async () => {
    expect(await page.evaluate(`'desktop' in window && 'app' in window`)).toBe(whom === 'shell')
  }).toPass()

async function windowWithShell(desktop: Desktop, page: Page): Promise<TandemPage> {
  await desktop.show(page)
  const app = new TandemPage(page)
  await app.newTerminal()
  await app.run('kept=$((40 + 2)); echo begun')
  await app.sees(/^begun$/m)
  return app
}

async function goesOn(app: TandemPage, word: string): Promise<void> {
  await expect(app.page.getByRole('tab')).toHaveCount(1)
  await app.sees(/^begun$/m)
  await app.page.locator('.terminalPane:not([hidden]) .xterm').click()
  await app.run(`echo ${word} $kept`)
  await app.sees(new RegExp(`^${word} 42$`, 'm'))
}

test('an app whose host ends takes its place, at the same address, and its window goes on', async ({
  world,
  page,
  startDesktop
}) => {
  const serve = await Tandem.start(world)
  const desktop = startDesktop()
  const app = await windowWithShell(desktop, page)
  expect(ownerOf(world)).toBe(serve.ready.pid)
  await speaksTo(page, 'other')
  await serve.end('SIGTERM')
  await until(() => ownerOf(world) === desktop.child.pid, { what: 'the app to be the host' })
  expect(readEndpoint(world.dataDir)?.url).toBe(serve.ready.url)
  await speaksTo(page, 'shell')
  await goesOn(app, 'after')
})

test('a newer host takes over from the app, whose window goes on as its client', async ({
  world,
  page,
  startDesktop
}) => {
  const desktop = startDesktop()
  const app = await windowWithShell(desktop, page)
  const before = readEndpoint(world.dataDir)
  const newer = await Tandem.start(world, [], { entry: otherVersion(world, '9.9.9') })
  expect(newer.ready.url).toBe(before?.url)
  await speaksTo(page, 'other')
  await goesOn(app, 'handed')
  // The keys stay those of the desktop app.
  await page.keyboard.press('Control+Shift+T')
  await expect(app.tabs).toHaveCount(2)
  await desktop.ask('closeWindows').catch(() => undefined)
  expect(await desktop.exited()).toBe(0)
  expect((await newer.api('GET', '/healthz')).status).toBe(200)
  await newer.end('SIGTERM')
})

test('an app that is newer than the running host takes over from it', async ({ world, page, startDesktop }) => {
  const older = await Tandem.start(world, [], { entry: otherVersion(world, '0.0.9') })
  const first = new TandemPage(page, older)
  await page.goto(older.ready.openUrl)
  await first.newTerminal()
  await first.run('kept=$((40 + 2)); echo begun')
  await first.sees(/^begun$/m)
  const desktop = startDesktop()
  await desktop.show(await page.context().newPage())
  expect(await older.exit()).toBe(0)
  expect(ownerOf(world)).toBe(desktop.child.pid)
  const shown = await desktop.pageOf()
  await speaksTo(shown, 'shell')
  await goesOn(new TandemPage(shown), 'taken')
  // Also the browser that looked at the older one goes on by itself.
  await first.run('echo still $kept')
  await first.sees(/^still 42$/m)
})

test('when the one that wanted to take over does not start, the app is in charge again', async ({
  world,
  page,
  startDesktop
}) => {
  const desktop = startDesktop()
  const app = await windowWithShell(desktop, page)
  const host = await Tandem.found(world, desktop.child)
  const request = { version: '99.0.0', pid: 4_000_000, isForced: true }
  expect((await host.api('POST', '/api/hand-over', request)).status).toBe(200)
  await until(() => desktop.shown('window').length === 2, { what: 'the window to be loaded again' })
  await until(() => ownerOf(world) === desktop.child.pid, { what: 'the app to be in charge' })
  await speaksTo(page, 'shell')
  await goesOn(app, 'again')
})

test('an app whose programs would end with it stays in charge', async ({ world, startDesktop }) => {
  world.environment.TANDEM_BACKEND = 'pty'
  const desktop = startDesktop()
  await desktop.window()
  const workspace = { project: world.home, session: 'default' }
  await desktop.ask('invoke', { call: 'createTerminal', args: [workspace] })
  const refused = await runTandem(world, ['serve', '--take-over', '--port', '0', '--data-dir', world.dataDir])
  expect(refused.code).toBe(3)
  expect(refused.stderr).toContain('would end with it')
  expect(ownerOf(world)).toBe(desktop.child.pid)
})

test('a second start shows the window that is there; a newer app takes the place of an older one', async ({
  world,
  page,
  startDesktop
}) => {
  const older = startDesktop({ entry: otherVersion(world, '0.0.9') })
  await windowWithShell(older, page)
  const again = startDesktop({ entry: otherVersion(world, '0.0.8') })
  expect(await again.exited()).toBe(0)
  expect(again.shown('window')).toEqual([])
  expect(ownerOf(world)).toBe(older.child.pid)
  const newer = startDesktop()
  expect(await older.exited()).toBe(0)
  await newer.show(await page.context().newPage())
  expect(ownerOf(world)).toBe(newer.child.pid)
  await goesOn(new TandemPage(await newer.pageOf()), 'newer')
})
