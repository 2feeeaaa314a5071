import { Tandem } from '../harness/tandem'
import { expect, test } from './fixtures'
import { TandemPage } from './tandemPage'

/** Runs in the page, whose types the tests do not have. */
const boxShadow = new Function('element', 'return getComputedStyle(element).boxShadow') as () => string

test('panes split by key, share the room, are walked, zoomed and resized by keys, and close back', async ({ app }) => {
  const panes = app.page.getByRole('tabpanel')
  const width = async (name: string) => (await app.page.getByRole('tabpanel', { name }).boundingBox())?.width ?? 0
  await app.newTerminal()
  await app.run('cd /tmp && PS1="left> "')
  await app.sees(/^left>$/m)
  await app.page.keyboard.press('Control+Shift+O')
  await expect(panes).toHaveCount(2)
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 2')
  await app.activeSees('ready>')
  await app.run('pwd')
  await app.activeSees(/^\/tmp$/m)
  const left = await width('Terminal 1')
  expect(Math.abs(left - (await width('Terminal 2')))).toBeLessThan(3)
  await app.page.keyboard.press('Control+Alt+ArrowLeft')
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
  await app.run('echo at the left')
  await app.activeSees(/^at the left$/m)
  await app.page.keyboard.press('Control+Shift+Enter')
  await expect(panes).toHaveCount(1)
  // Tab and terminal are one surface then, with no line between them.
  expect(await app.page.locator('.terminalPane.focused .paneHeader').evaluate(boxShadow)).toBe('none')
  await app.page.keyboard.press('Control+Shift+Enter')
  await expect(panes).toHaveCount(2)
  await app.page.getByRole('separator', { name: 'Size of the panes' }).focus()
  for (let press = 0; press < 3; press += 1) await app.page.keyboard.press('ArrowRight')
  await expect.poll(() => width('Terminal 1')).toBeGreaterThan(left + 20)
  await app.page.reload()
  await expect(panes).toHaveCount(2)
  await expect.poll(() => width('Terminal 1')).toBeGreaterThan(left + 20)
  // Also the pane that did not have the keyboard yet has a cursor.
  await expect(app.page.locator('.terminalPane:not([hidden]) .xterm-cursor')).toHaveCount(2)
  await app.page.locator('.terminalPane.focused .xterm').click()
  await app.page.keyboard.press('Control+Shift+W')
  await expect(panes).toHaveCount(1)
  await expect(app.page.getByRole('separator', { name: 'Size of the panes' })).toHaveCount(0)
})

test('a tab dragged to an edge of a pane is shown beside it, and taken out again by menu', async ({ app }) => {
  for (const name of ['one', 'two', 'three']) await app.createByHttp(name)
  await app.tab('one').click()
  await app.hasPrompt()
  const panes = app.page.getByRole('tabpanel')
  const box = await panes.boundingBox()
  await app.tab('two').hover()
  await app.page.mouse.down()
  await app.page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) - 20, {
    steps: 5
  })
  await expect(app.page.locator('.dropHint')).toBeVisible()
  await app.page.mouse.up()
  await expect(panes).toHaveCount(2)
  await expect(app.selectedTab).toHaveAccessibleName('two')
  const [above, below] = await Promise.all((await panes.all()).map((pane) => pane.boundingBox()))
  expect(above?.x).toBe(below?.x)
  await app.tab('three').click()
  await expect(panes).toHaveCount(1)
  await app.tab('one').click()
  await expect(panes).toHaveCount(2)
  await app.tab('one').click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: /out of the split/ }).click()
  await expect(panes).toHaveCount(1)
  expect(await app.tabNames()).toEqual(['one', 'two', 'three'])
})

test('a split is there again after a restart of the host', async ({ world, page }) => {
  const first = await Tandem.start(world)
  await page.goto(first.ready.openUrl)
  const app = new TandemPage(page, first)
  await app.newTerminal()
  await page.keyboard.press('Control+Shift+E')
  await expect(page.getByRole('tabpanel')).toHaveCount(2)
  await app.activeSees('ready>')
  await page.goto('about:blank')
  await first.end('SIGTERM')
  const next = await Tandem.start(world)
  await page.goto(next.ready.openUrl)
  await expect(page.getByRole('tabpanel')).toHaveCount(2)
  await next.end('SIGTERM')
})
