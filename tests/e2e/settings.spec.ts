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

/** Runs in the page, whose types the tests do not have. */
const styleOf = new Function('element', 'property', 'return getComputedStyle(element).getPropertyValue(property)') as (
  element: unknown,
  property: string
) => string
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
  await expect(app.page.getByText('config.json cannot be read')).toHaveCount(0)
})

test('settings of looks and of what a terminal does show at once', async ({ app, world }) => {
  test.setTimeout(120_000)
  await app.newTerminal()
  await app.run(String.raw`printf '\e[38;2;190;190;190mfaint\e[0m\n'`)
  await app.sees(/^faint$/m)
  const faint = app.page.locator('.xterm-rows span[style*="#bebebe"]')
  await expect(faint).toHaveCount(0)
  const before = await rowHeight(app.page)
  const style = (property: string) => app.page.locator('body').evaluate(styleOf, property)
  const set = (values: object) => writeFileSync(configFile(world), JSON.stringify(values))
  set({
    terminal_theme: 'dracula',
    minimum_contrast: 1,
    line_height: 1.8,
    ui_font_family: 'Serif',
    ui_font_size: 16,
    scroll_on_output: true,
    confirm_close: 'always',
    paste_warning: false
  })
  await expect(app.page.locator('.screen')).toHaveAttribute('style', /#282a36/)
  await expect(faint).not.toHaveCount(0)
  await expect.poll(() => rowHeight(app.page)).toBeGreaterThan(before * 1.3)
  await expect.poll(() => style('font-family')).toMatch(/^serif/)
  await expect.poll(() => style('font-size')).toBe('16px')

  await app.run('seq 150; until [ -e go ]; do sleep 0.1; done; echo at the end')
  await app.sees(/^150$/m)
  await app.page.keyboard.press('Shift+PageUp')
  await expect.poll(() => app.lines()).not.toContain('150')
  writeFileSync(join(world.home, 'go'), '')
  await app.sees(/^at the end$/m)

  await app.run('cat')
  await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await app.page.evaluate(`navigator.clipboard.writeText('first line\\nsecond line\\n')`)
  await app.page.keyboard.press('Control+Shift+V')
  await app.sees(/^second line$/m)
  await app.page.keyboard.press('Control+C')
  await app.press('closeTerminal')
  await expect(app.page.getByRole('dialog', { name: /^Close / })).toBeVisible()
})

test('keys of one’s own come from the file: they work and are shown at once, and what is wrong with them is told', async ({
  app,
  world
}) => {
  await app.newTerminal()
  writeFileSync(configFile(world), '{ "shortcuts": { "newTerminal": "Ctrl+Alt+N", "fly": "F9" } }')
  await expect(app.page.getByText('Setting "shortcuts": "fly" is no action.')).toBeVisible()
  await expect(app.page.getByTitle('New terminal (Ctrl+Alt+N)')).toBeVisible()
  await app.press('newTerminal')
  await app.page.keyboard.press('Control+Alt+N')
  await expect(app.tabs).toHaveCount(2)
  await app.press('palette')
  await expect(app.page.getByRole('option', { name: /^New terminal/ })).toContainText('Ctrl+Alt+N')
  await app.page.keyboard.press('Escape')
  const settings = await openSettings(app.page)
  await settings.getByLabel('Search settings').fill('shortcuts')
  await expect(settings.getByText('2 in the file')).toBeVisible()
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
