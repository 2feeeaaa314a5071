import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Desktop } from './desktop'
import { expect, test } from './fixtures'

test('the sidebar shows work in a session, folds a project, and removes a session after a question', async ({
  app,
  tandem
}) => {
  await app.newTerminal()
  const { home } = tandem.world
  await tandem.api('POST', '/api/terminal/sessions', { project: home, session: 'other', name: 'there' })
  const sidebar = app.page.getByRole('navigation', { name: 'Workspaces' })
  const row = sidebar.getByRole('button', { name: /default, / })
  const other = sidebar.getByRole('button', { name: /other, / })
  await expect(other).toBeVisible()
  await app.run('sleep 1000')
  await expect(row).toHaveAccessibleName(/working/)
  await app.page.keyboard.press('Control+C')
  await expect(row).not.toHaveAccessibleName(/working/)
  await sidebar.getByRole('button', { name: 'home', exact: true }).click()
  await expect(row).toBeHidden()
  await app.page.reload()
  await expect(sidebar.getByRole('button', { name: 'home', exact: true })).toHaveAttribute('aria-expanded', 'false')
  await sidebar.getByRole('button', { name: 'home', exact: true }).click()
  await other.click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: 'Remove this session' }).click()
  await app.page.getByRole('dialog').getByRole('button', { name: 'Remove session' }).click()
  await expect(other).toBeHidden()
  await expect(row).toHaveAttribute('aria-current', 'true')
})

test('the width of the sidebar moves by keys within its bounds, and it folds to a rail of signs and back', async ({
  app
}) => {
  await app.newTerminal()
  const edge = app.page.getByRole('separator', { name: 'Width of the sidebar' })
  await edge.focus()
  for (let press = 0; press < 15; press += 1) await app.page.keyboard.press('ArrowRight')
  await expect(edge).toHaveAttribute('aria-valuenow', '320')
  const sidebar = app.page.getByRole('navigation', { name: 'Workspaces' })
  const width = async () => (await sidebar.boundingBox())?.width
  await expect.poll(width).toBe(320)
  await app.page.keyboard.press('Control+Shift+B')
  await expect.poll(width).toBe(48)
  await app.tab('Terminal 1').click()
  await app.run('read -s secret')
  await expect(sidebar.getByRole('button', { name: /home \/ default, .*needs you/ })).toBeVisible()
  await expect(sidebar.locator('.railButton .stateMark.needsYou')).toBeVisible()
  await app.page.reload()
  await expect.poll(width).toBe(48)
  await app.page.getByRole('button', { name: 'Show workspaces' }).click()
  await expect.poll(width).toBe(320)
  const { x = 0, y = 0, height = 0 } = (await edge.boundingBox()) ?? {}
  await app.page.mouse.move(x + 3, y + height / 2)
  await app.page.mouse.down()
  await app.page.mouse.move(60, y + height / 2, { steps: 4 })
  await app.page.mouse.up()
  await expect.poll(width).toBe(48)
})

test('a session lists its terminals with state and place; another one unfolds, and a click goes there', async ({
  app,
  tandem
}) => {
  const { home } = tandem.world
  await app.newTerminal()
  await tandem.api('POST', '/api/terminal/sessions', { project: home, session: 'other', name: 'far away' })
  const sidebar = app.page.getByRole('navigation', { name: 'Workspaces' })
  const row = sidebar.getByRole('button', { name: /^Terminal 1: / })
  await expect(row).toHaveAttribute('aria-current', 'page')
  await app.run('mkdir -p deep/er; cd deep/er')
  await expect(row).toHaveAccessibleName('Terminal 1: running, in er')
  await app.run('sleep 1000')
  await expect(row).toHaveAccessibleName('Terminal 1: working, in er')
  await sidebar.getByRole('button', { name: 'Show the terminals' }).click()
  await sidebar.getByRole('button', { name: /^far away: / }).click()
  await expect(app.selectedTab).toHaveAccessibleName('far away')
  await app.hasPrompt()
  await app.run('echo here')
  await app.sees(/^here$/m)
  await app.page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
  await app.page.getByRole('button', { name: 'Forward', exact: true }).click()
  await expect(app.selectedTab).toHaveAccessibleName('far away')
})

test('in the desktop window the sidebar’s plus asks by the system’s dialog', async ({ world, page }) => {
  const folder = join(world.root, 'chosen')
  mkdirSync(folder)
  const desktop = new Desktop(world)
  await desktop.show(page)
  await expect(page.getByRole('heading', { name: 'Ready when you are' })).toBeVisible()
  await desktop.ask('answerDialogs', { answers: [[folder]] })
  const sidebar = page.getByRole('navigation', { name: 'Workspaces' })
  await sidebar.getByRole('button', { name: 'Open a folder' }).click()
  await expect(sidebar.getByRole('button', { name: /^chosen \/ default, / })).toBeVisible()
  await expect(sidebar.getByLabel('Project folder')).toHaveCount(0)
})
