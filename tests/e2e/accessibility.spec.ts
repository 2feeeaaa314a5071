import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

/** What a checker calls serious or worse, as readable lines. */
async function troubles(page: Page): Promise<string[]> {
  // The page's policy keeps foreign frames out; one document is all there is.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`))
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`with a ${colorScheme} system`, () => {
    test.use({ colorScheme })

    test('a checker finds nothing serious in any state', async ({ app }) => {
      test.setTimeout(180_000)
      const { page } = app
      await expect(page.getByRole('button', { name: 'New terminal' }).last()).toBeVisible()
      expect(await troubles(page), 'empty').toEqual([])
      await app.newTerminal()
      await app.createByHttp('another')
      await expect(app.tab('another')).toBeVisible()
      expect(await troubles(page), 'tabs').toEqual([])
      await page.locator('.terminalPane:not([hidden]) .xterm-screen').click({ button: 'right' })
      expect(await troubles(page), 'menu').toEqual([])
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+Comma')
      await expect(page.getByRole('dialog', { name: 'Settings' }).getByText('Theme', { exact: true })).toBeVisible()
      expect(await troubles(page), 'settings').toEqual([])
      await page.keyboard.press('Escape')
      await page.keyboard.press('Alt+F2')
      await expect(page.getByRole('dialog', { name: 'Terminal as text' })).toBeVisible()
      expect(await troubles(page), 'text').toEqual([])
      await page.keyboard.press('Escape')
      await app.press('palette')
      await expect(page.getByRole('combobox')).toBeVisible()
      expect(await troubles(page), 'palette').toEqual([])
      await page.keyboard.press('Escape')
      await app.run('exit 3')
      await expect(page.getByText(/exited .*3/i).first()).toBeVisible()
      expect(await troubles(page), 'exited').toEqual([])
      await page.setViewportSize({ width: 400, height: 700 })
      expect(await troubles(page), 'narrow').toEqual([])
    })
  })
}

test('at 200 % nothing is lost', async ({ app }) => {
  await app.page.setViewportSize({ width: 640, height: 400 })
  await app.newTerminal()
  await app.page.keyboard.press('Control+Comma')
  const settings = app.page.getByRole('dialog', { name: 'Settings' })
  await settings.getByLabel('Log level', { exact: true }).scrollIntoViewIfNeeded()
  await expect(settings.getByLabel('Log level', { exact: true })).toBeInViewport()
  await settings.getByRole('button', { name: 'Close settings' }).click()
  const overflow = await app.page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
})

test('with screen reader mode the terminal’s text is in the accessibility tree', async ({ app, world }) => {
  writeFileSync(join(world.dataDir, 'config.json'), '{ "screen_reader_mode": "on" }')
  await app.newTerminal()
  await app.run('echo for every reader')
  await expect(app.page.locator('.xterm-accessibility-tree')).toContainText('for every reader')
})
