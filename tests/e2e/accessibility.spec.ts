import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { connectMcp } from '../harness/mcpClients'
import type { Tandem } from '../harness/tandem'
import { expect, test } from './fixtures'
import { TandemPage } from './tandemPage'

/** What a checker calls serious or worse, as readable lines. */
async function troubles(page: Page, rules?: string[]): Promise<string[]> {
  // The page's policy keeps foreign frames out; one document is all there is.
  const checker = new AxeBuilder({ page }).setLegacyMode(true)
  const { violations } = await (rules ? checker.withRules(rules) : checker).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`))
}

/** Every state of the page, one after the other; each is told by its name. */
async function visitStates(app: TandemPage, tandem: Tandem, look: (state: string) => Promise<void>): Promise<void> {
  const { page } = app
  await expect(page.getByRole('button', { name: 'New terminal' }).last()).toBeVisible()
  await look('empty')
  await app.newTerminal()
  await app.createByHttp('another')
  await expect(app.tab('another')).toBeVisible()
  await look('tabs')
  await page.locator('.terminalPane:not([hidden]) .xterm-screen').click({ button: 'right' })
  await look('menu')
  await page.keyboard.press('Escape')
  const overlays = [
    ['Control+Comma', 'Settings'],
    ['Alt+F2', 'Terminal as text'],
    [app.keys('palette'), 'Command palette'],
    ['Control+Shift+G', 'Go to terminal']
  ] as const
  for (const [keys, name] of overlays) {
    await page.keyboard.press(keys)
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    if (name === 'Settings') await expect(page.getByText('Theme', { exact: true })).toBeVisible()
    await look(name)
    await page.keyboard.press('Escape')
  }
  await visitAgents(app, tandem, look)
  await page.getByRole('navigation').getByRole('button', { name: 'Connect an agent' }).click()
  await look('connect')
  await page.evaluate(
    `Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } })`
  )
  await page.getByRole('region', { name: 'Any other agent' }).getByRole('button').last().click()
  await expect(page.getByText('Nothing was copied')).toBeVisible()
  await look('a message over a dialog')
  // Others may have been shown before it.
  await page.getByRole('button', { name: 'Dismiss' }).last().click()
  await page.keyboard.press('Escape')
  await page.getByRole('navigation').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'New session in this project' }).click()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The session needs a name.')).toBeVisible()
  await look('new session')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+B')
  await look('rail')
  await page.keyboard.press('Control+Shift+B')
  await page.locator('.terminalPane:not([hidden]) .xterm-screen').click()
  await page.keyboard.press('Control+Shift+O')
  await expect(page.locator('.terminalPane:not([hidden])')).toHaveCount(2)
  await app.activeSees('ready>')
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('textbox', { name: 'Find' }).fill('ready')
  await look('split and find')
  await page.keyboard.press('Escape')
  await app.run('exit 3')
  await expect(page.getByText('exited 3')).toBeVisible()
  await look('exited')
  await page.setViewportSize({ width: 400, height: 700 })
  await look('narrow')
  await page.getByRole('button', { name: 'Show workspaces' }).click()
  await look('drawer')
  await page.mouse.click(390, 400)
  await page.getByRole('button', { name: 'Show activity' }).click()
  await look('activity sheet')
  await page.setViewportSize({ width: 1280, height: 800 })
}

async function visitDisconnected(
  app: TandemPage,
  tandem: Tandem,
  look: (state: string) => Promise<void>
): Promise<void> {
  await tandem.end('SIGKILL')
  await expect(app.page.getByText('Connection lost')).toBeVisible()
  await look('disconnected')
}

async function visitAgents(app: TandemPage, { ready }: Tandem, look: (state: string) => Promise<void>): Promise<void> {
  const agent = await connectMcp('2026', { url: ready.mcpUrl, token: ready.token, clientName: 'tester' })
  const line = app.page.locator('.terminalPane:not([hidden]) .controlLine')
  try {
    const listed = await agent.call('terminal__list_sessions')
    const { sessions } = listed.structuredContent as { sessions: { session_id: string; name: string }[] }
    const session_id = sessions.find(({ name }) => name === 'Terminal 1')?.session_id ?? ''
    const type = (text: string) => agent.call('terminal__send', { session_id, text, submit: true })
    await expect.poll(async () => (await type('sh -c "exit 3"')).isError ?? false).toBe(false)
    await expect(line).toContainText('typing')
    await look('agent typing')
    await app.page.keyboard.press('Control+Shift+Space')
    await expect(line).toContainText('Give back')
    await look('you have control')
    await app.page.keyboard.press('Control+Shift+Space')
    await expect.poll(async () => (await type('read -s secret')).isError ?? false).toBe(false)
    await expect(line).toContainText('Needs you')
    await look('needs you')
    await app.page.keyboard.press('Enter')
    await expect(line).not.toContainText('Needs you')
  } finally {
    await agent.close()
  }
}

// What another scheme changes are the colours alone.
const RULES = { light: undefined, dark: ['color-contrast'] }

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`with a ${colorScheme} system`, () => {
    test.use({ colorScheme, hostMayDie: true })

    test('a checker finds nothing serious in any state', async ({ app, tandem, carrier }) => {
      test.setTimeout(180_000)
      test.skip(carrier !== 'browser' && colorScheme === 'dark', 'the colours are the same whatever carries the page')
      const found: Record<string, string[]> = {}
      const look = async (state: string) => {
        const list = await troubles(app.page, RULES[colorScheme])
        if (list.length > 0) found[state] = list
      }
      await visitStates(app, tandem, look)
      // Elsewhere the host is the desktop app itself.
      if (carrier === 'browser') await visitDisconnected(app, tandem, look)
      expect(found).toEqual({})
    })
  })
}

test('a screen reader that the desktop reports turns the mode on by itself, and off again', async ({
  page,
  startDesktop
}) => {
  const desktop = startDesktop()
  await desktop.show(page)
  const app = new TandemPage(page)
  await app.newTerminal()
  const report = (isThere: boolean) => desktop.ask('screenReader', { isThere })
  const tree = page.locator('.xterm-accessibility-tree')
  await expect(tree).toHaveCount(0)
  await report(true)
  await app.run('echo for every reader')
  await expect(tree).toContainText('for every reader')
  await report(false)
  await expect(tree).toHaveCount(0)
})

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
  await app.newTerminal()
  writeFileSync(join(world.dataDir, 'config.json'), '{ "screen_reader_mode": "on" }')
  const tree = app.page.locator('.xterm-accessibility-tree')
  await expect(tree).toHaveCount(1)
  await app.run('echo for every reader')
  await expect(tree).toContainText('for every reader')
})
