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

test('the width of the sidebar moves by keys within its bounds, and the sidebar hides', async ({ app }) => {
  await app.newTerminal()
  const edge = app.page.getByRole('separator', { name: 'Width of the sidebar' })
  await edge.focus()
  for (let press = 0; press < 15; press += 1) await app.page.keyboard.press('ArrowRight')
  await expect(edge).toHaveAttribute('aria-valuenow', '320')
  const sidebar = app.page.getByRole('navigation', { name: 'Workspaces' })
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(320)
  await app.page.keyboard.press('Control+Shift+B')
  await expect(sidebar).toBeHidden()
  await app.page.getByRole('button', { name: 'Show workspaces' }).click()
  await expect(sidebar).toBeVisible()
})
