import { Tandem } from '../harness/tandem'
import { expect, test } from './fixtures'
import { TandemPage } from './tandemPage'

const living = ['list-panes', '-a', '-F', '#{pane_dead} #{pane_current_command}']

test('the desktop window works through its own shell, and closing it leaves the terminals running', async ({
  world,
  page,
  startDesktop
}) => {
  const desktop = startDesktop()
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

test('when another host owns the terminals the window is a client of it', async ({ world, page, startDesktop }) => {
  const serve = await Tandem.start(world)
  const desktop = startDesktop()
  const { url } = await desktop.window()
  expect(new URL(url).origin).toBe(serve.ready.url)
  await desktop.show(page)
  expect(await page.evaluate("'app' in window")).toBe(false)
  const app = new TandemPage(page, serve)
  await app.newTerminal()
  await app.run('echo as a client $((5 + 6))')
  await app.sees('as a client 11')
  await desktop.ask('closeWindows').catch(() => undefined)
  expect(await desktop.exited()).toBe(0)
  expect((await serve.api('GET', '/healthz')).status).toBe(200)
  await serve.end('SIGTERM')
})

test('a host that is started while the desktop owns the terminals says so', async ({ world, startDesktop }) => {
  await startDesktop().window()
  await expect(Tandem.start(world)).rejects.toThrow(/ended with 3/)
})

test('the first window is found where it was; further ones stay in step with it', async ({ page, startDesktop }) => {
  const desktop = startDesktop()
  await desktop.show(page)
  const app = new TandemPage(page)
  await app.newTerminal()
  await desktop.ask('choose', { action: 'newWindow' })
  await expect.poll(() => desktop.shown('window').length).toBe(2)
  const other = await desktop.pageOf()
  await expect(other.getByRole('tab')).toHaveCount(1)
  const [first, second] = desktop.shown('window').map(({ options }) => options)
  expect(first).toMatchObject({ name: 'main', windowStatePersistence: true })
  expect(second).not.toHaveProperty('windowStatePersistence')
  await desktop.ask('choose', { action: 'newTerminal' })
  for (const window of [page, other]) await expect(window.getByRole('tab')).toHaveCount(2)
})

test('a window knows whether a screen reader is there, and hears when that changes', async ({
  world,
  page,
  startDesktop
}) => {
  world.environment.STAND_IN_SCREEN_READER = '1'
  const desktop = startDesktop()
  await desktop.show(page)
  expect(await page.evaluate('window.desktop.screenReaderIsThere()')).toEqual({ ok: true, value: true })
  await page.evaluate("window.desktop.on('screenReaderChanged', (isThere) => { window.heard = isThere })")
  await desktop.ask('screenReader', { isThere: false })
  await expect.poll(() => page.evaluate('window.heard')).toBe(false)
  expect(await page.evaluate('window.desktop.screenReaderIsThere()')).toEqual({ ok: true, value: false })
})
