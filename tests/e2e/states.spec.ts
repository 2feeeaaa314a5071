import { expect, test } from './fixtures'

/** Runs in the page, whose types the tests do not have. */
const backgroundColor = new Function('element', 'return getComputedStyle(element).backgroundColor') as () => string

test('an exited terminal says its code and stays readable', async ({ app }) => {
  await app.newTerminal()
  await app.run('echo last words; exit 3')
  await expect(app.page.getByText('Exited with code 3')).toBeVisible()
  await app.sees(/^last words$/m)
  await app.page.reload()
  await expect(app.page.getByText('Exited with code 3')).toBeVisible()
  await app.sees(/^last words$/m)
  await app.page.getByRole('button', { name: 'Start again' }).click()
  await app.hasPrompt()
  await expect(app.page.getByText('Exited with code 3')).toBeHidden()
  await expect(app.tabs).toHaveCount(1)
})

test('the last lines of a full screen stay in sight when the line about the end appears', async ({ app }) => {
  await app.newTerminal()
  await app.run('seq 1 100; exec sh -c "exit 5"')
  await expect(app.page.getByText('Exited with code 5')).toBeVisible()
  const bottom = async (selector: string) => {
    const box = await app.page.locator(selector).last().boundingBox()
    return Math.round((box?.y ?? 0) + (box?.height ?? 0))
  }
  await app.sees(/^100$/m)
  await expect.poll(async () => (await bottom('.xterm-rows > div')) <= (await bottom('.screen'))).toBe(true)
})

test('when tmux itself is stopped the page says that the terminal is gone and keeps its last screen', async ({
  app,
  world
}) => {
  await app.newTerminal()
  await app.run('echo last words')
  await app.sees(/^last words$/m)
  world.tmux('kill-server')
  await expect(app.page.getByText('This terminal is gone')).toBeVisible({ timeout: 30_000 })
  await app.sees(/^last words$/m)
})

test('a terminal that a signal ended says that', async ({ app }) => {
  await app.newTerminal()
  await app.run('kill -9 $$')
  await expect(app.page.getByText('Ended by a signal')).toBeVisible()
})

for (const scheme of ['light', 'dark'] as const) {
  test.describe(`with a ${scheme} system`, () => {
    test.use({ colorScheme: scheme })

    test(`page and terminal are ${scheme}`, async ({ app }) => {
      await app.newTerminal()
      const backgrounds = ['body', '.sidebar', '.screen', '.xterm-scrollable-element'].map((selector) =>
        app.page.locator(selector).evaluate(backgroundColor)
      )
      for (const background of await Promise.all(backgrounds)) {
        expect(brightness(background) > 128).toBe(scheme === 'light')
      }
    })
  })
}

test('page and terminal follow when the system changes its scheme', async ({ app }) => {
  await app.page.emulateMedia({ colorScheme: 'light' })
  await app.newTerminal()
  await app.page.emulateMedia({ colorScheme: 'dark' })
  const terminal = app.page.locator('.xterm-scrollable-element')
  await expect.poll(() => terminal.evaluate(backgroundColor)).toBe('rgb(14, 16, 18)')
})

test.describe('400 pixels wide', () => {
  test.use({ viewport: { width: 400, height: 700 } })

  test('everything can be reached and nothing overflows', async ({ app }) => {
    await app.newTerminal()
    await app.createByHttp('another')
    await app.run('echo narrow $((2 + 3))')
    await app.sees('narrow 5')
    const drawer = app.page.getByRole('navigation', { name: 'Workspaces' })
    await expect(drawer).toBeHidden()
    await app.page.getByRole('button', { name: 'Show workspaces' }).click()
    await drawer.getByRole('button', { name: /default/ }).click()
    await expect(drawer).toBeHidden()
    const overflow = await app.page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
  })
})

test('the terminal has the size of the window that is used, and others show that size', async ({
  app,
  context,
  tandem
}) => {
  await app.newTerminal()
  const size = () => app.page.locator('.statusLine .size').textContent()
  await expect.poll(size).toMatch(/^\d+×\d+$/)
  const own = await size()
  await app.run('stty size')
  const [cols, rows] = (own ?? '').split('×')
  await app.sees(`${rows} ${cols}`)
  await app.page.setViewportSize({ width: 900, height: 500 })
  await expect.poll(size).not.toBe(own)
  await app.run('stty size')
  const [narrowCols, narrowRows] = ((await size()) ?? '').split('×')
  await app.sees(`${narrowRows} ${narrowCols}`)

  const other = await context.newPage()
  await other.setViewportSize({ width: 700, height: 400 })
  await other.goto(tandem.ready.url)
  await other.locator('.xterm').click()
  await expect.poll(() => other.locator('.statusLine .size').textContent()).not.toBe(`${narrowCols}×${narrowRows}`)
  const taken = await other.locator('.statusLine .size').textContent()
  await expect.poll(size).toBe(taken)
  await other.close()
})

/** How bright a computed `rgb(…)` colour is, 0 to 255. */
function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number)
  return (red + green + blue) / 3
}
