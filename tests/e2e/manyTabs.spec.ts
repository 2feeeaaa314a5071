import { expect, test } from './fixtures'

const COUNT = 100
const AT_ONCE = 5

test('of 100 tabs every one can be reached: by scrolling the strip, by the list, by the switcher', async ({ app }) => {
  test.setTimeout(300_000)
  await app.newTerminal()
  const names = Array.from({ length: COUNT - 1 }, (_, index) => `shell ${index + 2}`)
  for (let from = 0; from < names.length; from += AT_ONCE) {
    await Promise.all(names.slice(from, from + AT_ONCE).map((name) => app.createByHttp(name)))
  }
  await expect(app.tabs).toHaveCount(COUNT, { timeout: 60_000 })
  await app.run('echo still $((40 + 2))')
  await app.sees(/^still 42$/m)

  const last = app.tabs.last()
  const lastName = (await last.getAttribute('aria-label')) ?? ''
  await expect(last).not.toBeInViewport()
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()

  await app.page.getByRole('button', { name: 'All terminals of this session' }).click()
  await app.page.getByRole('menuitemradio', { name: lastName, exact: true }).click()
  await expect(app.selectedTab).toHaveAccessibleName(lastName)
  await expect(app.selectedTab).toBeInViewport()
  await app.hasPrompt()
  await app.run('echo the last one')
  await app.sees(/^the last one$/m)

  await app.page.keyboard.press('Control+Shift+G')
  const switcher = app.page.getByRole('dialog', { name: 'Go to terminal' })
  await app.page.keyboard.type('Terminal 1')
  await expect(switcher.getByRole('option', { selected: true })).toContainText('Terminal 1')
  await app.page.keyboard.press('Enter')
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
  await expect(app.selectedTab).toBeInViewport()
  await app.sees(/^still 42$/m)
})
