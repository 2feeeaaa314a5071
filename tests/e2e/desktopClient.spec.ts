import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'
import type { Desktop } from './desktop'
import { test as base, expect } from './fixtures'
import { TandemPage } from './tandemPage'

// The desktop app while `tandem serve` has the terminals: it does for the person what it does for its own.

interface Client {
  serve: Tandem
  desktop: Desktop
  app: TandemPage
}

const test = base.extend<{ client: Client }>({
  client: async ({ world, page, startDesktop }, use) => {
    world.environment.TANDEM_NOTIFY_AFTER = '1'
    const client = await openClient(world, page, startDesktop)
    await use(client)
    await client.serve.end('SIGTERM')
  }
})

async function openClient(world: World, page: Page, startDesktop: () => Desktop): Promise<Client> {
  const serve = await Tandem.start(world)
  const desktop = startDesktop()
  expect(new URL((await desktop.window()).url).origin).toBe(serve.ready.url)
  await desktop.show(page)
  return { serve, desktop, app: new TandemPage(page, serve) }
}

const badge = (desktop: Desktop) => desktop.shown('badge').at(-1)?.count

test('a password prompt is told of while the person looks elsewhere, counted on the icon, and a click leads there', async ({
  client: { desktop, app }
}) => {
  await app.newTerminal()
  await app.newTerminal()
  // Before it asks: who looks is not told.
  await desktop.ask('focus', { focused: false })
  await app.run('sleep 1; read -s -p secret: answer')
  await app.tab('Terminal 1').click()
  const notice = await until(() => desktop.shown('notification').at(-1), { what: 'a notification' })
  expect(notice).toMatchObject({ title: 'Terminal 2 needs you', silent: false })
  await until(() => badge(desktop) === 1, { what: 'the count on the icon' })
  await desktop.ask('clickNotification')
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 2')
  await app.page.locator('.terminalPane:not([hidden]) .xterm-screen').click()
  await app.page.keyboard.press('Enter')
  await until(() => badge(desktop) === 0, { what: 'nobody to wait any more' })
  expect(desktop.shown('notification')).toHaveLength(1)
})

test('a long command is told of once, one that was stopped is not', async ({ client: { desktop, app } }) => {
  await app.newTerminal()
  await desktop.ask('focus', { focused: false })
  await app.run('sh -c "sleep 1.2; exit 130"')
  await app.run('sh -c "sleep 1.2; exit 4"')
  await until(() => desktop.shown('notification').length > 0, { what: 'a notification' })
  expect(desktop.shown('notification')).toMatchObject([{ title: 'Terminal 1: exit 4', silent: true }])
})

test('a folder that a second start names is shown', async ({ world, client: { desktop, app } }) => {
  const named = join(world.root, 'named')
  mkdirSync(named)
  await app.newTerminal()
  await desktop.ask('secondStart', { words: ['electron', '/app', named] })
  await expect(app.page.getByRole('navigation', { name: 'Workspaces' })).toContainText('named')
})

test('when the app takes the place of a host that ended it goes on telling', async ({ client }) => {
  const { serve, desktop, app } = client
  await app.newTerminal()
  await serve.end('SIGTERM')
  await until(() => desktop.shown('window').length > 1, {
    what: 'the window to be loaded from the app',
    limitMs: 30_000
  })
  // The page may still be on its way.
  await expect(() => app.hasPrompt()).toPass()
  await desktop.ask('focus', { focused: false })
  await app.run('sleep 1; read -s -p secret: answer')
  await until(() => desktop.shown('notification').at(-1), { what: 'a notification', limitMs: 30_000 })
  expect(desktop.shown('notification')).toMatchObject([{ title: 'Terminal 1 needs you' }])
})
