import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectMcp } from '../harness/mcpClients'
import { Tandem } from '../harness/tandem'
import { expect, test } from './fixtures'
import { TandemPage } from './tandemPage'

/** Runs in the page, whose types the tests do not have. */
const backgroundColor = new Function('element', 'return getComputedStyle(element).backgroundColor') as () => string
const colour = new Function('element', 'return getComputedStyle(element).color') as () => string

const ringColor = new Function('pane', `return getComputedStyle(pane, '::after').borderTopColor`) as () => string

test('an exited terminal says its code and stays readable', async ({ app }) => {
  await app.newTerminal()
  await app.run('echo last words; exit 3')
  await expect(app.page.getByText('exited 3')).toBeVisible()
  await app.sees(/^last words$/m)
  await app.page.reload()
  await expect(app.page.getByText('exited 3')).toBeVisible()
  await app.sees(/^last words$/m)
  await app.page.getByRole('button', { name: 'Restart' }).click()
  await app.hasPrompt()
  await expect(app.page.getByText('exited 3')).toBeHidden()
  await expect(app.tabs).toHaveCount(1)
})

test.describe('with a clipboard', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('the line about an end says when, copies the output, and Enter in the terminal starts it again', async ({
    app
  }) => {
    await app.newTerminal()
    await app.run('echo last words; exit 3')
    const line = app.page.getByRole('tabpanel').getByRole('status')
    await expect(line).toContainText(/exited 3 after \d.* · \d+:\d\d/)
    await line.getByRole('button', { name: 'Copy output' }).click()
    // A message under the pointer stays.
    await app.page.getByText('Output copied').hover()
    expect(await app.page.evaluate('navigator.clipboard.readText()')).toMatch(/^last words$/m)
    await app.page.getByRole('button', { name: 'Dismiss' }).press('Enter')
    await expect(line).toBeVisible()
    await app.page.locator('.terminalPane:not([hidden]) .xterm').click()
    await app.page.keyboard.press('Enter')
    await expect(line).toBeHidden()
    await app.hasPrompt()
    await app.run('echo alive again')
    await app.sees(/^alive again$/m)
  })
})

test('header and last line follow the shell: where it is, and how its last command ended', async ({ app, world }) => {
  await app.newTerminal()
  const directory = app.page.locator('.paneHeader .cwd')
  const last = app.page.locator('.statusLine')
  await expect(directory).toHaveText('~')
  await app.run('mkdir -p deep/er && cd deep/er')
  await expect(directory).toHaveText('~/deep/er')
  await expect(directory).toHaveAttribute('title', `${world.home}/deep/er`)
  await app.run('(exit 4)')
  await expect(last).toContainText(/exit 4 · [\d.]+ (ms|s)/)
  await expect(last).toContainText('read/write')
  await last.getByRole('button', { name: 'Settings' }).click()
  await expect(app.page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
})

test('the last line counts the agents that asked for something lately', async ({ app, tandem: { ready } }) => {
  await expect(app.page.locator('.statusLine')).not.toContainText('agent')
  const agent = await connectMcp('2026', { url: ready.mcpUrl, token: ready.token, clientName: 'tester' })
  try {
    await agent.call('terminal__list_sessions')
    await expect(app.page.locator('.statusLine .door')).toContainText(/MCP .* · 1 agent$/)
  } finally {
    await agent.close()
  }
})

test('the last lines of a full screen stay in sight when the line about the end appears', async ({ app }) => {
  await app.newTerminal()
  await app.run('seq 1 100; exec sh -c "exit 5"')
  await expect(app.page.getByText('exited 5')).toBeVisible()
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
  await expect(app.page.getByText('ended outside of Tandem')).toBeVisible({ timeout: 30_000 })
  await app.sees(/^last words$/m)
  await app.page.getByRole('button', { name: 'Show saved log' }).click()
  await expect(app.page.getByRole('dialog', { name: 'Terminal as text' })).toContainText('last words')
})

test('without tmux the page says what that means and what installs it, and a terminal works all the same', async ({
  world,
  page
}) => {
  world.environment.PATH = join(world.root, 'nothing')
  const tandem = await Tandem.start(world)
  await page.goto(tandem.ready.openUrl)
  const messages = page.getByRole('region', { name: 'Messages' })
  await expect(messages).toContainText('Terminals work meanwhile, but they end with Tandem.')
  await expect(messages).toContainText(/(apt-get|brew) install tmux/)
  await expect(messages.getByRole('button', { name: 'Copy command' })).toBeVisible()
  await new TandemPage(page, tandem).newTerminal()
  await tandem.end('SIGTERM')
  expect(tandem.stderr).not.toContain('    at ')
})

test('what needs you has an amber ring, nothing turns where motion is unwanted, and tabs stay where they are', async ({
  app
}) => {
  await app.page.emulateMedia({ reducedMotion: 'reduce' })
  for (const name of ['one', 'two', 'three']) await app.createByHttp(name)
  await app.tab('three').click()
  await app.hasPrompt()
  await app.run('sleep 1000')
  const working = app.page.getByRole('tablist').locator('.stateMark.working')
  await expect(working).toHaveCSS('animation-name', 'none')
  await app.tab('two').click()
  await app.hasPrompt()
  await app.run('read -s secret')
  const pane = app.page.locator('.terminalPane.needsYou')
  await expect(pane).toBeVisible()
  expect(await pane.evaluate(ringColor)).toBe('rgb(138, 90, 0)')
  expect(await app.tabNames()).toEqual(['one', 'two', 'three'])
})

test('a terminal that a signal ended says that', async ({ app }) => {
  await app.newTerminal()
  await app.run('kill -9 $$')
  await expect(app.page.getByText('ended by a signal')).toBeVisible()
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

test('page and terminal follow when the system changes its scheme', async ({ app, world }) => {
  await app.page.emulateMedia({ colorScheme: 'light' })
  await app.newTerminal()
  await app.page.emulateMedia({ colorScheme: 'dark' })
  const terminal = app.page.locator('.xterm-scrollable-element')
  await expect.poll(() => terminal.evaluate(backgroundColor)).toBe('rgb(14, 16, 18)')

  // With a palette of its own the terminal stays one surface with its tab and its header, and both can be read.
  writeFileSync(join(world.dataDir, 'config.json'), '{ "terminal_theme": "solarized-light" }')
  await expect.poll(() => terminal.evaluate(backgroundColor)).toBe('rgb(253, 246, 227)')
  for (const part of ['.tab.active', '.paneHeader']) {
    expect(await app.page.locator(part).evaluate(backgroundColor)).toBe('rgb(253, 246, 227)')
    expect(brightness(await app.page.locator(part).evaluate(colour))).toBeLessThan(128)
  }
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
    await expect(app.page.locator('.statusLine').getByRole('button', { name: 'Settings' })).toBeInViewport({ ratio: 1 })
    const overflow = await app.page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
  })
})

test('the terminal has the size of the window that is used, and others show that size', async ({ app }) => {
  await app.newTerminal()
  const size = () => app.page.locator('.statusLine .size').textContent()
  // Until the page has measured itself the terminal has the size it began with.
  await expect.poll(size).toMatch(/^(?!80×24$)\d+×\d+$/)
  const own = await size()
  await app.run('stty size')
  const [cols, rows] = (own ?? '').split('×')
  await app.sees(`${rows} ${cols}`)
  await app.page.setViewportSize({ width: 900, height: 500 })
  await expect.poll(size).not.toBe(own)
  await app.run('stty size')
  const [narrowCols, narrowRows] = ((await size()) ?? '').split('×')
  await app.sees(`${narrowRows} ${narrowCols}`)

  const other = await app.anotherWindow()
  await other.setViewportSize({ width: 700, height: 400 })
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
