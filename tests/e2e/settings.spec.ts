import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { World } from '../harness/tandem'
import { expect, test } from './fixtures'

const configFile = ({ dataDir }: World) => join(dataDir, 'config.json')
/** What the file holds; there is none before the first change. */
const config = (world: World): Record<string, unknown> =>
  existsSync(configFile(world)) ? JSON.parse(readFileSync(configFile(world), 'utf8')) : {}

async function openSettings(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+Comma')
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await expect(settings).toBeVisible()
  return settings
}

const theme = (page: Page) => page.locator('html').getAttribute('data-theme')
const rowHeight = async (page: Page) => (await page.locator('.xterm-rows > div').first().boundingBox())?.height ?? 0

test('a setting is found, changed, kept in the file, shown in every window, and reset', async ({ app, world }) => {
  await app.newTerminal()
  const other = await app.anotherWindow()
  const before = await rowHeight(app.page)
  const settings = await openSettings(app.page)
  await settings.getByLabel('Search settings').fill('terminal text')
  const size = settings.getByLabel('Font size', { exact: true })
  await size.fill('20')
  await size.press('Enter')
  await expect.poll(() => config(world)).toEqual({ font_size: 20 })
  await expect.poll(() => rowHeight(app.page)).toBeGreaterThan(before)
  await settings.getByLabel('Search settings').fill('theme')
  await settings.getByLabel('Theme', { exact: true }).selectOption('dark-contrast')
  await expect.poll(() => theme(other)).toBe('dark-contrast')
  await expect.poll(() => theme(app.page)).toBe('dark-contrast')
  await settings.getByRole('button', { name: 'Reset Theme', exact: true }).click()
  await expect.poll(() => config(world)).toEqual({ font_size: 20 })
  await expect.poll(() => theme(other)).toBe('light')
  await other.close()
})

test('a change of the file by hand shows at once, and a broken file is told and kept', async ({ app, world }) => {
  await app.newTerminal()
  writeFileSync(configFile(world), '{ "theme": "dark", "cursor_style": "bar" }')
  await expect.poll(() => theme(app.page)).toBe('dark')
  const settings = await openSettings(app.page)
  await expect(settings.getByLabel('Cursor style', { exact: true })).toHaveValue('bar')
  writeFileSync(configFile(world), '{ "theme": "light", ')
  await expect(settings.locator('.problem', { hasText: 'config.json cannot be read' })).toBeVisible()
  expect(await theme(app.page)).toBe('dark')
  await settings.getByLabel('Cursor blink', { exact: true }).click()
  await expect(app.page.getByText('"cursor_blink" was not saved')).toBeVisible()
  expect(readFileSync(configFile(world), 'utf8')).toBe('{ "theme": "light", ')
  writeFileSync(configFile(world), '{ "theme": "light" }')
  await expect.poll(() => theme(app.page)).toBe('light')
  await expect(settings.locator('.problem', { hasText: 'config.json cannot be read' })).toHaveCount(0)
})

test.describe('with a variable that overrules the file', () => {
  test('the setting says so and cannot be changed here', async ({ world, page }) => {
    world.environment.TANDEM_THEME = 'dark'
    const { Tandem } = await import('../harness/tandem')
    const tandem = await Tandem.start(world)
    await page.goto(tandem.ready.openUrl)
    await expect.poll(() => theme(page)).toBe('dark')
    const settings = await openSettings(page)
    await expect(settings.getByLabel('Theme', { exact: true })).toBeDisabled()
    await expect(settings.getByText('Set by TANDEM_THEME')).toBeVisible()
    await tandem.end('SIGTERM')
  })
})

test('the page keeps its theme from the first moment of the next visit', async ({ app, world }) => {
  writeFileSync(configFile(world), '{ "theme": "dark" }')
  await expect.poll(() => theme(app.page)).toBe('dark')
  const seen: string[] = []
  await app.page.exposeFunction('sawTheme', (name: string) => seen.push(name))
  await app.page.addInitScript(`new MutationObserver(() => {
    const { theme } = document.documentElement.dataset
    if (theme) window.sawTheme(theme)
  }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-theme'] })`)
  await app.page.reload()
  await expect(app.page.getByRole('button', { name: 'New terminal' }).first()).toBeVisible()
  expect(new Set(seen)).toEqual(new Set(['dark']))
})

test('terminal text is drawn in the bundled font, and zooming changes one window alone', async ({ app }) => {
  await app.newTerminal()
  expect(await app.page.evaluate(`document.fonts.check('14px "JetBrains Mono"')`)).toBe(true)
  const before = await rowHeight(app.page)
  await app.press('palette')
  await app.page.keyboard.type('Larger text')
  await app.page.keyboard.press('Enter')
  await expect.poll(() => rowHeight(app.page)).toBeGreaterThan(before)
  const other = await app.anotherWindow()
  await expect.poll(() => rowHeight(other)).toBe(before)
  await other.close()
  await app.press('palette')
  await app.page.keyboard.type('usual size')
  await app.page.keyboard.press('Enter')
  await expect.poll(() => rowHeight(app.page)).toBe(before)
})

test('the graphics card draws visible terminals, and page elements where it lets go or a screen reader reads', async ({
  page,
  tandem,
  world
}) => {
  writeFileSync(configFile(world), '{ "renderer": "gpu" }')
  await page.goto(tandem.ready.openUrl)
  await page.getByRole('button', { name: 'New terminal' }).last().click()
  const host = page.locator('.terminalPane:not([hidden]) .xtermHost')
  await expect(host).toHaveAttribute('data-renderer', 'gpu')
  await host.evaluate(`document.querySelectorAll('.xtermHost canvas').forEach((canvas) =>
    canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext())`)
  await expect(host).toHaveAttribute('data-renderer', 'dom')
  await expect(host.locator('.xterm-rows')).toBeVisible()
  writeFileSync(configFile(world), '{ "renderer": "gpu", "screen_reader_mode": "on" }')
  await page.reload()
  await expect(host.locator('.xterm-accessibility')).toBeAttached()
  await expect(host).toHaveAttribute('data-renderer', 'dom')
})
