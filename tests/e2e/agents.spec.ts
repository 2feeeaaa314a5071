import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { connectMcp, type McpClient } from '../harness/mcpClients'
import type { Tandem } from '../harness/tandem'
import { test as base, expect } from './fixtures'
import type { TandemPage } from './tandemPage'

/** Tests with an agent: a real MCP client at the same host. */
const test = base.extend<{ agent: McpClient }>({
  agent: async ({ tandem }, use) => {
    const agent = await connectAgent(tandem)
    await use(agent)
    await agent.close()
  }
})
test.use({ viewport: { width: 1280, height: 760 } })

function connectAgent({ ready }: Tandem): Promise<McpClient> {
  return connectMcp('2026', { url: ready.mcpUrl, token: ready.token, clientName: 'tester' })
}

const controlLine = ({ page }: TandemPage) => page.locator('.terminalPane:not([hidden]) .controlLine')

/** Runs in the page, whose types the tests do not have. */
const styleOf = (property: string) =>
  new Function('element', `return getComputedStyle(element).${property}`) as () => string

async function ownCursorIsSeen({ page }: TandemPage): Promise<boolean> {
  const block = await page.locator('.xterm-cursor').first().evaluate(styleOf('backgroundColor'))
  return block !== (await page.locator('.terminalPane:not([hidden]) .screen').evaluate(styleOf('backgroundColor')))
}

async function onlyTerminal(agent: McpClient): Promise<string> {
  const listed = await agent.call('terminal__list_sessions')
  const { sessions } = listed.structuredContent as { sessions: { session_id: string }[] }
  return sessions[0]?.session_id ?? ''
}

const type = (agent: McpClient, session_id: string, text: string) =>
  agent.call('terminal__send', { session_id, text, submit: true })

test('an agent that types is shown without taking the keyboard; a key of the person takes over until it is given back', async ({
  app,
  agent
}) => {
  await app.newTerminal()
  const terminal = await onlyTerminal(agent)
  await expect(controlLine(app)).toHaveCount(0)
  await type(agent, terminal, 'echo by $((1 + 1)) agents')
  await expect(controlLine(app)).toContainText('tester · typing')
  await expect(app.selectedTab).toHaveAttribute('aria-description', /tester is typing/)
  await app.sees('by 2 agents')
  const cursor = app.page.locator('.terminalPane:not([hidden]) .agentCursor')
  await expect(cursor).toBeVisible()
  const chip = await controlLine(app).locator('.agentChip').evaluate(styleOf('backgroundColor'))
  expect(await cursor.evaluate(styleOf('borderTopColor'))).toBe(chip)
  // The emulator's own cursor is out of sight then, and back for the person.
  expect(await ownCursorIsSeen(app)).toBe(false)

  // The keyboard is where it was: what the person types arrives, and stops the agent.
  await expect(async () => {
    await app.page.keyboard.press('x')
    await expect(controlLine(app)).toContainText('You · tester waits', { timeout: 1_000 })
    expect(JSON.stringify(await type(agent, terminal, 'echo refused'))).toContain('HUMAN_HAS_CONTROL')
  }).toPass()
  await expect(cursor).toBeHidden()
  expect(await ownCursorIsSeen(app)).toBe(true)
  await app.page.keyboard.press('Control+C')
  await expect(app.page.getByText('Agents pause when you type.')).toBeVisible()
  await expect(controlLine(app)).toHaveCount(0)

  await app.page.keyboard.press('Control+Shift+Space')
  const giveBack = controlLine(app).getByRole('button', { name: 'Give back' })
  await expect(giveBack).toBeVisible()
  expect(await type(agent, terminal, 'echo refused')).toMatchObject({ isError: true })
  await giveBack.click()
  await expect(controlLine(app)).toHaveCount(0)
  await type(agent, terminal, 'echo given $((2 + 2)) back')
  await app.sees('given 4 back')
  // What was refused never reached the shell.
  expect((await app.lines()).join('\n')).not.toContain('echo refused')
  // A notice is over by itself.
  await expect(app.page.getByText('Agents pause when you type.')).toBeHidden()
})

test('a prompt that hides what is typed needs the person: on the tab, on the row, and by key from elsewhere', async ({
  app
}) => {
  await app.newTerminal()
  const row = app.page
    .getByRole('navigation', { name: 'Workspaces' })
    .getByRole('button', { name: /default.*needs you/ })
  await expect(row).toHaveCount(0)
  await app.run('read -s -p "secret: " answer; test $answer = abc && echo got it')
  await app.sees('secret:')
  await expect(controlLine(app)).toContainText('Needs you')
  await expect(app.selectedTab).toHaveAttribute('aria-description', 'needs you')
  await expect(row).toBeVisible()
  await expect(app.page.locator('[aria-live=assertive]')).toHaveText('Terminal Terminal 1 needs you')

  await app.newTerminal()
  const panel = app.page.getByRole('complementary', { name: 'Activity' })
  const waiting = panel.getByRole('button', { name: /Terminal 1 waits for you/ })
  await expect(waiting).toBeVisible()
  await app.press('closeTerminal')
  // Messages lie above what waits, not on it.
  const { y = 0, height = 0 } = (await app.page.locator('.toast', { hasText: 'closed' }).boundingBox()) ?? {}
  expect(y + height).toBeLessThanOrEqual((await waiting.boundingBox())?.y ?? 0)
  await app.press('reopenClosed')
  await expect(app.tab('Terminal 2')).toHaveAttribute('aria-selected', 'true')
  await app.page.getByRole('button', { name: '1 needs you' }).click()
  await expect(app.tab('Terminal 1')).toHaveAttribute('aria-selected', 'true')
  await app.tab('Terminal 2').click()
  await app.page.keyboard.press('Control+Shift+J')
  await expect(app.tab('Terminal 1')).toHaveAttribute('aria-selected', 'true')
  await app.run('abc')
  await app.sees(/secret: *got it$/m)
  await expect(controlLine(app)).toHaveCount(0)
  await expect(row).toHaveCount(0)
})

test('the activity panel lists who ran what and how it ended, by actor; a click goes to the terminal', async ({
  app,
  agent
}) => {
  await app.newTerminal()
  const terminal = await onlyTerminal(agent)
  await type(agent, terminal, 'sh -c "exit 3"')
  const panel = app.page.getByRole('complementary', { name: 'Activity' })
  const line = panel.getByRole('button', { name: /tester.*Terminal 1.*sh -c "exit 3".*exit 3 · / })
  await expect(line).toBeVisible()
  await expect(panel.getByRole('button', { name: /You.*opened a terminal/ })).toBeVisible()
  await panel.getByRole('button', { name: 'tester', exact: true }).click()
  await expect(panel.getByRole('button', { name: /opened a terminal/ })).toHaveCount(0)

  await app.newTerminal()
  await expect(app.tab('Terminal 2')).toHaveAttribute('aria-selected', 'true')
  await line.click()
  await expect(app.tab('Terminal 1')).toHaveAttribute('aria-selected', 'true')
  await app.run('echo back $((40 + 2))')
  await app.sees('back 42')

  await app.page.keyboard.press('Control+Shift+A')
  await expect(panel).toBeHidden()
  await app.page.getByRole('button', { name: 'Show activity' }).click()
  await expect(panel).toBeVisible()

  // Where there is no room for it, it lies over the page for a moment.
  await app.page.setViewportSize({ width: 1000, height: 700 })
  await expect(panel).toBeHidden()
  const terminal1 = app.page.locator('.terminalPane:not([hidden]) textarea')
  await terminal1.focus()
  await app.press('agentPanel')
  await expect(panel.locator(':focus')).toHaveCount(1)
  await app.page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(terminal1).toBeFocused()
  await app.page.locator('.titleBar').getByRole('button', { name: 'Show activity' }).click()
  await expect(panel).toBeVisible()
  await app.page.mouse.click(300, 300)
  await expect(panel).toBeHidden()
  await app.page.locator('.titleBar').getByRole('button', { name: 'Show activity' }).click()
  await line.click()
  await expect(panel).toBeHidden()
  await expect(terminal1).toBeFocused()
})

/** The host looks for agents once in a few seconds, so one that has just come may not be there at first. */
async function openConnectPage(page: Page, client: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Escape')
    const sidebar = page.getByRole('navigation', { name: 'Workspaces' })
    await sidebar.getByRole('button', { name: 'Connect an agent' }).click({ timeout: 5000 })
    await expect(client).toBeVisible({ timeout: 1500 })
  }).toPass()
}

test('connecting shows the exact change before it is made; an agent that asks is listed', async ({
  app,
  agent,
  tandem: { ready },
  world
}) => {
  mkdirSync(join(world.home, '.cursor'))
  await agent.call('terminal__list_sessions')
  const sidebar = app.page.getByRole('navigation', { name: 'Workspaces' })
  await expect(sidebar.getByText('tester')).toBeVisible()
  const cursor = app.page.getByRole('region', { name: 'Cursor' })
  await openConnectPage(app.page, cursor)
  await cursor.getByRole('button', { name: 'Connect…' }).click()
  await expect(cursor.locator('pre')).toContainText('tandem')
  expect(existsSync(join(world.home, '.cursor', 'mcp.json'))).toBe(false)
  await cursor.getByRole('button', { name: 'Run' }).click()
  await expect(cursor.getByRole('button', { name: 'Disconnect…' })).toBeVisible({ timeout: 60_000 })
  expect(readFileSync(join(world.home, '.cursor', 'mcp.json'), 'utf8')).toContain('tandem')

  // Set up is not connected: that it is with its first request, and that of another agent does not count.
  await expect(cursor.getByText('set up, has not asked for anything yet')).toBeVisible()
  await expect(cursor.getByText('connected', { exact: true })).toHaveCount(0)
  const asking = await connectMcp('2026', { url: ready.mcpUrl, token: ready.token, clientName: 'cursor-vscode' })
  try {
    await asking.call('terminal__list_sessions')
    await expect(cursor.getByText('connected', { exact: true })).toBeVisible()
    await expect(cursor.getByText('set up, has not asked for anything yet')).toHaveCount(0)
  } finally {
    await asking.close()
  }
})

test('a connection that fails says why where it was asked for; any other agent finds the ways in; messages over the page’s dialogs can be used', async ({
  app,
  tandem: { ready },
  world
}) => {
  mkdirSync(join(world.home, '.cursor'))
  const error = {
    code: 'IO_ERROR',
    message: 'Cursor refused',
    hint: 'Change the file yourself:\n+ {\n+   "tandem": 1'
  } as const
  await app.refuses('connectAgent', error)
  const dialog = app.page.getByRole('dialog')
  const cursor = dialog.getByRole('region', { name: 'Cursor' })
  await openConnectPage(app.page, cursor)
  await cursor.getByRole('button', { name: 'Connect…' }).click()
  await cursor.getByRole('button', { name: 'Run' }).click()
  await expect(cursor.getByRole('alert')).toContainText('Cursor refused')
  expect(await cursor.getByRole('alert').locator('pre').innerText()).toBe('+ {\n+   "tandem": 1')
  // What could not be done can be tried again.
  await expect(cursor.getByRole('button', { name: 'Run' })).toBeVisible()

  const others = dialog.getByRole('region', { name: 'Any other agent' })
  await expect(others.locator('code').first()).toHaveText(/ mcp( |$)/)
  await expect(others.locator('code').nth(1)).toHaveText(`${new URL(ready.url).origin}/mcp`)
  expect(await others.locator('code').first().evaluate(styleOf('fontVariantLigatures'))).toBe('none')
  await app.page.evaluate(
    `Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } })`
  )
  await others.getByRole('button', { name: /^Copy/ }).last().click()
  const message = app.page.getByText('Nothing was copied')
  await expect(message).toBeVisible()
  await app.page.getByRole('button', { name: 'Dismiss' }).last().click()
  await expect(message).toHaveCount(0)
  await expect(dialog).toBeVisible()
})

test('the card about agents can be put away, and stays away', async ({ app }) => {
  const panel = app.page.getByRole('complementary', { name: 'Activity' })
  const card = panel.getByRole('region', { name: 'Connect an agent' })
  await card.getByRole('button', { name: 'Not now' }).click()
  await expect(card).toHaveCount(0)
  await app.page.reload()
  await expect(panel.getByText('What you and agents do')).toBeVisible()
  await expect(card).toHaveCount(0)
})

test('a card names the agents of this machine until one has asked for something', async ({ app, agent, world }) => {
  mkdirSync(join(world.home, '.cursor'))
  const card = app.page.getByRole('complementary').getByRole('region', { name: 'Connect an agent' })
  // What was found a moment ago is not looked for again.
  await expect(async () => {
    await app.page.reload()
    await expect(card).toContainText('Cursor', { timeout: 2_000 })
  }).toPass()
  await card.getByRole('button', { name: /Connect… Cursor/ }).click()
  const cursor = app.page.getByRole('dialog').getByRole('region', { name: 'Cursor' })
  await expect(cursor.locator('pre')).toContainText('tandem')
  await app.page.keyboard.press('Escape')
  await agent.call('terminal__list_sessions')
  await expect(card).toBeHidden()
})

test('work that ended unseen is marked as done or failed, and the key leads there', async ({ app, agent }) => {
  for (const name of ['one', 'two']) await app.createByHttp(name)
  await app.tab('one').click()
  await app.hasPrompt()
  const listed = await agent.call('terminal__list_sessions')
  const { sessions } = listed.structuredContent as { sessions: { session_id: string; name: string }[] }
  const two = sessions.find(({ name }) => name === 'two')?.session_id ?? ''
  await type(agent, two, 'sleep 0.2; sh -c "exit 3"')
  await expect(app.tab('two')).toHaveAttribute('aria-description', /^failed/)
  await app.page.keyboard.press('Control+Shift+J')
  await expect(app.selectedTab).toHaveAccessibleName('two')
})

test('while the person looks elsewhere the system is told what needs them, and a click leads there', async ({
  app,
  carrier
}) => {
  test.skip(carrier !== 'browser', 'the desktop app tells the system itself')
  // The browser of the tests shows no notices: what the page hands to it is looked at here.
  await app.page.addInitScript(`
    window.told = []
    window.away = false
    document.hasFocus = () => !window.away
    window.Notification = class {
      static permission = 'granted'
      constructor(title, options) { window.told.push({ title, body: options.body, silent: options.silent, notice: this }) }
    }`)
  await app.page.reload()
  const told = () => app.page.evaluate('window.told.map(({ title, silent }) => ({ title, silent }))')
  await app.newTerminal()
  await app.run('sleep 1; read -s secret')
  await app.page.evaluate('window.away = true')
  await expect.poll(told).toEqual([{ title: 'Terminal 1 waits for you', silent: false }])
  await app.newTerminal()
  await app.page.evaluate('window.told[0].notice.onclick()')
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
})

test('an agent that only reads is shown as watching, with nothing to take; one that types goes before it', async ({
  app,
  agent
}) => {
  const watchers = app.page.locator('.terminalPane:not([hidden]) .watchers')
  await app.newTerminal()
  const terminal = await onlyTerminal(agent)
  await expect(watchers).toHaveCount(0)
  await agent.call('terminal__read', { session_id: terminal })
  await expect(watchers).toHaveText('tester · watching')
  await expect(app.page.locator('.terminalPane:not([hidden]) .paneHeader').getByRole('button')).toHaveCount(0)
  // A person who types reads on who watches them.
  await app.run('echo $((20 + 1)) people')
  await app.sees('21 people')
  await expect(watchers).toBeVisible()
  await expect(async () => {
    expect((await type(agent, terminal, 'echo by $((1 + 1)) agents')).isError).not.toBe(true)
  }).toPass()
  await expect(controlLine(app)).toContainText('tester · typing')
  await expect(watchers).toHaveCount(0)
})
