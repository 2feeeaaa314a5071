import { expect, test } from './fixtures'

test('the palette runs any action by a few letters and shows its keys', async ({ app }) => {
  await app.newTerminal()
  await app.press('palette')
  const palette = app.page.getByRole('dialog', { name: 'Command palette' })
  await expect(palette.getByRole('option', { name: /^Previous tab/ })).toHaveCount(0)
  await expect(palette.getByRole('option', { name: /New terminal/ })).toContainText(app.keysShown('newTerminal'))
  await app.page.keyboard.type('new term')
  await expect(palette.getByRole('option')).toHaveCount(1)
  await app.page.keyboard.press('Enter')
  await expect(palette).toBeHidden()
  await expect(app.tabs).toHaveCount(2)
  await app.hasPrompt()
  await app.page.keyboard.press('Control+Shift+P')
  await expect(palette.getByRole('option', { name: /^Previous tab/ })).toBeVisible()
  await app.page.keyboard.type('no such command')
  await expect(palette).toContainText('No command and no terminal is called that')
  await app.page.keyboard.press('Control+A')
  await app.page.keyboard.type('terminal 1')
  await expect(palette.getByRole('option', { selected: true })).toContainText('Terminal 1')
  await app.page.keyboard.press('Enter')
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
  await app.page.keyboard.press('Control+Shift+P')
  await app.page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
  await app.run('echo typed again')
  await app.sees(/^typed again$/m)
})

test('installing as an app is offered once, and found in the palette as long as the browser offers it', async ({
  app,
  carrier
}) => {
  test.skip(carrier !== 'browser', 'the desktop app is installed already')
  const offer = () =>
    app.page.evaluate(`window.dispatchEvent(
      Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: async () => { window.asked = true } })
    )`)
  const hint = app.page.getByText('Tandem can be installed as an app')
  await app.newTerminal()
  await offer()
  await expect(hint).toBeVisible()
  await app.page.reload()
  await app.hasPrompt()
  await offer()
  await app.page.keyboard.press('F1')
  await app.page.keyboard.type('install')
  await app.page.keyboard.press('Enter')
  await expect.poll(() => app.page.evaluate('window.asked')).toBe(true)
  await expect(hint).toBeHidden()
})
