import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HookedAgent } from '../harness/hookedAgent'
import { test as base, expect } from './fixtures'
import { MARKUP } from './hostileWords'
import type { TandemPage } from './tandemPage'

/** Tests with a coding agent that runs in a terminal and tells by its hooks how it stands. */
const test = base.extend<{ agent: HookedAgent }>({
  agent: async ({ world }, use) => use(new HookedAgent(world))
})
test.use({ viewport: { width: 1280, height: 760 } })

const QUESTION = 'Claude needs your permission to use Bash'
const controlLine = ({ page }: TandemPage) => page.locator('.terminalPane:not([hidden]) .controlLine')
const panelOf = ({ page }: TandemPage) => page.getByRole('complementary', { name: 'Activity' })
const asks = { message: QUESTION, notification_type: 'permission_prompt' }

async function start(app: TandemPage, agent: HookedAgent): Promise<void> {
  await app.newTerminal()
  await app.run(agent.command)
  await app.sees('at your service')
}

test('an agent that asks is shown on tab, row, roll-up and panel with its question, and takes nothing from the person', async ({
  app,
  agent
}) => {
  await start(app, agent)
  agent.event('UserPromptSubmit')
  await expect(app.selectedTab).toHaveAttribute('aria-description', 'working')
  await app.newTerminal()
  const sidebar = app.page.getByRole('navigation', { name: 'Workspaces' })
  const rollUp = sidebar.getByRole('button', { name: /default.*needs you/ })
  await expect(rollUp).toHaveCount(0)
  agent.event('Notification', asks)

  await expect(app.tab('Terminal 1')).toHaveAttribute('aria-description', 'needs you')
  await expect(sidebar.getByRole('button', { name: /^Terminal 1: needs you/ })).toBeVisible()
  await expect(rollUp).toBeVisible()
  await expect(panelOf(app).getByRole('region', { name: 'Needs you' })).toContainText(QUESTION)
  await expect(app.page.locator('[aria-live=assertive]')).toHaveText(`Terminal Terminal 1 needs you. ${QUESTION}`)
  // What they type arrives where they were.
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 2')
  await app.run('echo $((40 + 2))')
  await app.sees(/^42$/m)
})

test('the key leads to an agent that asks; its pane has a ring, and a key there is the answer', async ({
  app,
  agent
}) => {
  await start(app, agent)
  await app.newTerminal()
  agent.event('Notification', asks)
  await expect(app.tab('Terminal 1')).toHaveAttribute('aria-description', 'needs you')
  const waiting = panelOf(app).getByRole('region', { name: 'Needs you' })
  await expect(waiting).toBeVisible()
  await app.press('nextNeedsMe')
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
  await expect(controlLine(app)).toContainText('Claude Code needs you')
  await expect(app.page.locator('.terminalPane:not([hidden])')).toHaveClass(/needsYou/)
  await app.page.keyboard.press('y')
  await expect(controlLine(app)).toHaveCount(0)
  await expect(app.selectedTab).toHaveAttribute('aria-description', 'working')
  await expect(waiting).toHaveCount(0)
})

test('an agent that is done is marked until somebody looks; one that ended leaves no mark of its own', async ({
  app,
  agent
}) => {
  await start(app, agent)
  agent.event('UserPromptSubmit')
  await expect(app.selectedTab).toHaveAttribute('aria-description', 'working')
  await app.newTerminal()
  agent.event('Stop', { last_assistant_message: 'All tests pass.' })
  await expect(app.tab('Terminal 1')).toHaveAttribute('aria-description', 'done')
  await app.press('nextNeedsMe')
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
  await expect(app.selectedTab).toHaveAttribute('aria-description', 'running')
  agent.event('Notification', asks)
  await expect(app.selectedTab).toHaveAttribute('aria-description', 'needs you')
  agent.quit()
  await app.hasPrompt()
  await expect(app.selectedTab).toHaveAttribute('aria-description', 'running')
})

test('a hostile question is text and nothing else', async ({ app, agent }) => {
  await start(app, agent)
  await app.newTerminal()
  agent.event('Notification', { message: `${MARKUP}\u001b]2;x\u0007\u202e ${'wide'.repeat(400)}` })
  const waiting = panelOf(app).getByRole('region', { name: 'Needs you' })
  await expect(waiting).toContainText('<img src=x onerror=')
  expect(await waiting.locator('img, script').count()).toBe(0)
  expect(await app.page.evaluate('window.hacked')).toBeUndefined()
  expect(await app.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

test('hooks are a choice of their own: shown before they are added, and taken away again', async ({ app, world }) => {
  const settings = join(world.home, '.claude', 'settings.json')
  mkdirSync(join(world.home, '.claude'))
  writeFileSync(settings, '{\n  "model": "opus"\n}\n')
  await app.page.getByRole('navigation').getByRole('button', { name: 'Connect an agent' }).click()
  const hooks = app.page.getByRole('region', { name: 'Show when an agent needs you' })
  await hooks.getByRole('button', { name: 'Show… Claude Code' }).click()
  await expect(hooks.locator('pre')).toContainText('hook claude-code')
  await expect(hooks.locator('.steps')).toContainText(settings)
  expect(readFileSync(settings, 'utf8')).not.toContain('hook')
  await hooks.getByRole('button', { name: 'Run' }).click()
  const stop = hooks.getByRole('button', { name: 'Stop showing… Claude Code' })
  await expect(stop).toBeVisible()
  expect(readFileSync(settings, 'utf8')).toContain('hook claude-code')
  // Connecting is the other choice, and was not made.
  expect(existsSync(join(world.home, '.claude.json'))).toBe(false)
  await stop.click()
  await hooks.getByRole('button', { name: 'Run' }).click()
  await expect(hooks.getByRole('button', { name: 'Show… Claude Code' })).toBeVisible()
  expect(readFileSync(settings, 'utf8')).toBe('{\n  "model": "opus"\n}\n')
})

test('while the person looks elsewhere the system is told the question and where it is asked', async ({
  app,
  agent,
  carrier
}) => {
  test.skip(carrier !== 'browser', 'the desktop app tells the system itself')
  await app.page.addInitScript(`
    window.told = []
    window.away = false
    document.hasFocus = () => !window.away
    window.Notification = class {
      static permission = 'granted'
      constructor(title, options) { window.told.push({ title, body: options.body, silent: options.silent }) }
    }`)
  await app.page.reload()
  await start(app, agent)
  await app.page.evaluate('window.away = true')
  agent.event('Notification', asks)
  const told = () => app.page.evaluate('window.told')
  await expect.poll(told).toEqual([{ title: 'home / default · Terminal 1', body: QUESTION, silent: false }])
  // Its reminder is no second question.
  agent.event('Notification', asks)
  agent.event('Notification', { message: 'Claude needs your attention' })
  await app.newTerminal()
  expect(await told()).toHaveLength(1)
})
