import { Tandem } from '../harness/tandem'
import { Desktop } from './desktop'
import { expect, test } from './fixtures'
import { TandemPage } from './tandemPage'

const living = ['list-panes', '-a', '-F', '#{pane_dead} #{pane_current_command}']

test('the desktop window works through its own shell, and closing it leaves the terminals running', async ({
  world,
  page
}) => {
  const desktop = new Desktop(world)
  await desktop.show(page)
  const app = new TandemPage(page)
  await app.newTerminal()
  await app.run('echo from the window $((20 + 2))')
  await app.sees('from the window 22')
  const created = await desktop.ask('invoke', {
    call: 'createTerminal',
    args: [{ project: world.home, session: 'default' }, 'agent']
  })
  expect(created).toMatchObject({ ok: true })
  await expect(app.tab('agent')).toBeVisible()
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
  await desktop.ask('closeWindows').catch(() => undefined)
  expect(await desktop.exited()).toBe(0)
  expect(world.tmux(...living)).toMatch(/0 bash/)
})

test('the window is locked down', async ({ world }) => {
  const desktop = new Desktop(world)
  const { url, webPreferences } = await desktop.window()
  expect(new URL(url).hostname).toBe('127.0.0.1')
  expect(webPreferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false })
  for (const address of ['file:///etc/passwd', 'javascript:alert(1)', 'vscode://x', 'https://example.org/page']) {
    expect(await desktop.ask('openWindow', { url: address })).toEqual({ action: 'deny' })
  }
  expect(desktop.opened).toEqual(['https://example.org/page'])
  expect(await desktop.ask('navigate', { url: 'https://example.org/' })).toBe(true)
  for (const name of ['notifications', 'geolocation', 'media', 'clipboard-read', 'openExternal']) {
    expect(await desktop.ask('permission', { name })).toBe(false)
  }
})

test('calls from a foreign frame are refused, each of them', async ({ world }) => {
  const desktop = new Desktop(world)
  const own = new URL((await desktop.window()).url).origin
  const foreign = [
    { frameUrl: `${own}/`, subframe: true },
    { frameUrl: 'about:blank' },
    { frameUrl: 'https://example.org/' },
    { frameUrl: 'http://127.0.0.1:1/' }
  ]
  for (const frame of foreign) {
    for (const call of ['listWorkspaces', 'hostInfo', 'createTerminal', 'killTerminal']) {
      const answer = await desktop.ask('invoke', { call, args: [], ...frame })
      expect(answer).toMatchObject({ ok: false, error: { code: 'FORBIDDEN_ORIGIN' } })
    }
  }
})

test('when another host owns the terminals the window is a client of it', async ({ world, tandem, page }) => {
  const desktop = new Desktop(world)
  const { url, webPreferences } = await desktop.window()
  expect(new URL(url).origin).toBe(tandem.ready.url)
  expect(webPreferences.additionalArguments).toEqual(['--tandem-client'])
  await desktop.show(page)
  const app = new TandemPage(page, tandem)
  await app.newTerminal()
  await app.run('echo as a client $((5 + 6))')
  await app.sees('as a client 11')
  await desktop.ask('closeWindows').catch(() => undefined)
  expect(await desktop.exited()).toBe(0)
  expect((await tandem.api('GET', '/healthz')).status).toBe(200)
})

test('a host that is started while the desktop owns the terminals says so', async ({ world }) => {
  const desktop = new Desktop(world)
  await desktop.window()
  await expect(Tandem.start(world)).rejects.toThrow(/ended with 3/)
})
