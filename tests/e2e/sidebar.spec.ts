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
  // A shell that is just about to start a program takes the key for itself.
  await expect(async () => {
    await app.page.keyboard.press('Control+C')
    await expect(row).not.toHaveAccessibleName(/working/, { timeout: 3000 })
  }).toPass()
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

test('long names of projects and sessions are cut where the sidebar ends, marks and all', async ({ app, tandem }) => {
  const project = join(tandem.world.home, 'a-project-whose-name-is-much-longer-than-any-sidebar-can-be')
  mkdirSync(project)
  const session = 'a-session-whose-name-goes-on-and-on-and-on'
  await tandem.api('POST', '/api/terminal/sessions', { project, session, name: 'a terminal with a long name as well' })
  const sidebar = app.page.getByRole('navigation', { name: 'Workspaces' })
  const row = sidebar.getByRole('button', { name: new RegExp(session) })
  await row.click()
  await expect(sidebar.getByRole('button', { name: /^a terminal with/ })).toBeVisible()
  const widths = await app.page.evaluate(
    `[...document.querySelectorAll('.sidebar ul')].map((list) => [list.scrollWidth, list.clientWidth])`
  )
  for (const [content, room] of widths as number[][]) expect(content).toBeLessThanOrEqual(room ?? 0)
  for (const part of await sidebar.locator('button:visible').all()) await expect(part).toBeInViewport({ ratio: 1 })

  // The frame is no text: selecting everything selects nothing of it.
  await row.focus()
  await app.page.keyboard.press('Control+A')
  expect(await app.page.evaluate('getSelection().toString()')).toBe('')
})

test.describe('with a clipboard', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('the form for a session has the keyboard from palette and menu, Escape gives it back, and a rail stays one', async ({
    app
  }) => {
    await app.newTerminal()
    const sidebar = app.page.getByRole('navigation', { name: 'Workspaces' })
    const form = sidebar.getByRole('form', { name: 'New session' })
    const field = form.getByLabel('Session')
    await app.page.keyboard.press('Control+Shift+B')
    await app.press('palette')
    await app.page.keyboard.type('new session')
    await app.page.keyboard.press('Enter')
    await expect(field).toBeFocused()
    await expect(form.locator('.path')).toHaveText('~')
    await app.page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await app.run('echo typed $((40 + 2))')
    await app.sees(/^typed 42$/m)
    await app.page.keyboard.press('Control+Shift+B')
    await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(48)
    await expect(sidebar.getByRole('heading')).toHaveCount(0)
    await app.page.keyboard.press('Control+Shift+B')

    await sidebar.getByRole('button', { name: /home \/ default, / }).click({ button: 'right' })
    await app.page.getByRole('menuitem', { name: 'New session in this project' }).click()
    await expect(field).toBeFocused()
    await app.page.keyboard.press('Enter')
    await expect(form.getByRole('alert')).toHaveText('The session needs a name.')

    // A page from a plain http address has no clipboard; what went wrong can be copied all the same.
    await app.page.evaluate(`{
      window.kept = navigator.clipboard
      Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
    }`)
    await app.run('../elsewhere')
    await app.page.getByRole('button', { name: 'Copy details' }).click()
    await expect.poll(() => app.page.evaluate('window.kept.readText()')).toContain('INVALID_ARGUMENTS')
    await field.fill('fresh')
    await app.page.keyboard.press('Enter')
    await expect(form).toHaveCount(0)
    await expect(sidebar.getByRole('button', { name: /home \/ fresh, / })).toHaveAttribute('aria-current', 'true')
    await app.hasPrompt()
    await app.run('echo here')
    await app.sees(/^here$/m)
  })
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
