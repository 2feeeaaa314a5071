import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

  // The keyboard is where it was: what the person types arrives, and stops the agent.
  await expect(async () => {
    await app.page.keyboard.press('x')
    await expect(controlLine(app)).toContainText('You · tester waits', { timeout: 1_000 })
    expect(JSON.stringify(await type(agent, terminal, 'echo refused'))).toContain('HUMAN_HAS_CONTROL')
  }).toPass()
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
})

test('a prompt that hides what is typed needs the person: on the tab, on the row, and by key from elsewhere', async ({
  app
}) => {
  await app.newTerminal()
  const row = app.page.getByRole('navigation', { name: 'Workspaces' }).getByRole('button', { name: /needs you/ })
  await expect(row).toHaveCount(0)
  await app.run('read -s -p "secret: " answer; test $answer = abc && echo got it')
  await app.sees('secret:')
  await expect(controlLine(app)).toContainText('Needs you')
  await expect(app.selectedTab).toHaveAttribute('aria-description', 'needs you')
  await expect(row).toBeVisible()
  await expect(app.page.locator('[aria-live=assertive]')).toHaveText('Terminal Terminal 1 needs you')

  await app.newTerminal()
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
})

test('connecting shows the exact change before it is made; an agent that asks is listed', async ({
  app,
  agent,
  world
}) => {
  mkdirSync(join(world.home, '.cursor'))
  await agent.call('terminal__list_sessions')
  const sidebar = app.page.getByRole('navigation', { name: 'Workspaces' })
  await expect(sidebar.getByText('tester')).toBeVisible()
  await sidebar.getByRole('button', { name: 'Connect an agent' }).click()
  const cursor = app.page.getByRole('region', { name: 'Cursor' })
  await cursor.getByRole('button', { name: 'Connect…' }).click()
  await expect(cursor.locator('pre')).toContainText('tandem')
  expect(existsSync(join(world.home, '.cursor', 'mcp.json'))).toBe(false)
  await cursor.getByRole('button', { name: 'Run' }).click()
  await expect(cursor.getByRole('button', { name: 'Disconnect…' })).toBeVisible({ timeout: 60_000 })
  expect(readFileSync(join(world.home, '.cursor', 'mcp.json'), 'utf8')).toContain('tandem')
})
