import { expect, test } from './fixtures'

test('a closed terminal comes back to its place with its program untouched', async ({ app }) => {
  for (const name of ['one', 'two', 'three']) await app.createByHttp(name)
  await app.tab('two').click()
  await app.hasPrompt()
  await app.run('kept=42')
  await app.press('closeTerminal')
  await expect(app.tab('two')).toBeHidden()
  await expect.poll(() => app.namesByHttp()).toEqual(['one', 'three'])
  await app.page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => app.tabNames()).toEqual(['one', 'two', 'three'])
  await expect(app.selectedTab).toHaveAccessibleName('two')
  await app.sees(/^ready> kept=42$/m)
  await app.run('echo value $kept')
  await app.sees(/^value 42$/m)
  await app.press('closeTerminal')
  await expect(app.tab('two')).toBeHidden()
  const offer = app.page.getByText('“two” closed')
  await expect(offer).toBeVisible()
  await app.press('reopenClosed')
  await expect(app.selectedTab).toHaveAccessibleName('two')
  // At once: it would go by itself later.
  expect(await offer.count()).toBe(0)
  await app.sees(/^value 42$/m)
  await app.run('echo again $kept')
  await app.sees(/^again 42$/m)
})

test('ten closed terminals come back, the last one first, each to its place', async ({ app }) => {
  const names = Array.from({ length: 11 }, (_, index) => `t${index}`)
  for (const name of names) await app.createByHttp(name)
  await app.tab('t10').click()
  await app.hasPrompt()
  await app.tab('t0').click()
  await app.hasPrompt()
  for (let closed = 0; closed < 10; closed += 1) {
    // One that is closed while its line is being opened makes the browser complain.
    await expect(app.page.locator('.terminalPane:not([hidden]) .screen')).toHaveAttribute('data-link', 'live')
    await app.press('closeTerminal')
    await expect(app.tab(`t${closed}`)).toBeHidden()
  }
  await expect(app.tabs).toHaveCount(1)
  for (let closed = 9; closed >= 0; closed -= 1) {
    await app.press('reopenClosed')
    await expect(app.selectedTab).toHaveAccessibleName(`t${closed}`)
  }
  expect(await app.tabNames()).toEqual(names)
})

test('a running program is named before its terminal is closed; a shell is closed without a question', async ({
  app,
  world
}) => {
  await app.newTerminal()
  await app.newTerminal()
  await app.run('exec 3>&1; sleep 1000')
  // Before the program has begun there is nothing to ask about.
  await expect.poll(() => world.tmux('list-panes', '-a', '-F', '#{pane_current_command}')).toContain('sleep')
  const question = app.page.getByRole('dialog', { name: 'Close “Terminal 2”?' })
  await app.tab('Terminal 2').click({ button: 'middle' })
  await expect(question).toContainText('sleep is still running')
  await app.page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(app.tabs).toHaveCount(2)
  await app.tab('Terminal 2').click({ button: 'middle' })
  await question.getByRole('button', { name: 'Close terminal' }).click()
  await expect(app.tabs).toHaveCount(1)
  await app.tab('Terminal 1').click({ button: 'middle' })
  await expect(app.tabs).toHaveCount(0)
})

test('a closed terminal ends by itself, also when the page that closed it is gone', async ({ app, world }) => {
  await app.newTerminal()
  await app.run('echo $$ > shell.pid')
  await app.press('closeTerminal')
  await expect(app.tabs).toHaveCount(0)
  expect(world.tmux('list-sessions', '-F', '#{session_name}')).toContain('mc-')
  await app.page.goto('about:blank')
  await expect
    .poll(
      () => {
        try {
          return world.tmux('list-sessions', '-F', '#{session_name}')
        } catch {
          return ''
        }
      },
      { timeout: 40_000 }
    )
    .not.toContain('mc-')
})

test('the menu of a tab closes the others and moves a terminal to another session', async ({ app, tandem }) => {
  for (const name of ['one', 'two', 'three']) await app.createByHttp(name)
  const { home } = tandem.world
  await tandem.api('POST', '/api/terminal/sessions', { project: home, session: 'other', name: 'there' })
  await app.tab('two').click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: /Move terminal to another session/ }).click()
  await app.page.getByRole('option', { name: 'other' }).click()
  await expect.poll(() => app.tabNames()).toEqual(['one', 'three'])
  await expect.poll(() => app.namesByHttp('other')).toEqual(['there', 'two'])
  await app.tab('one').click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: 'Close other terminals' }).click()
  await expect.poll(() => app.tabNames()).toEqual(['one'])
})

test('two windows on one workspace stay in step', async ({ app }) => {
  for (const name of ['one', 'two']) await app.createByHttp(name)
  const other = await app.anotherWindow()
  const tabs = other.getByRole('tab')
  await expect(tabs).toHaveCount(2)
  await app.tab('one').click()
  await app.hasPrompt()
  await app.page.keyboard.press('Control+Shift+PageDown')
  const names = () => tabs.evaluateAll((all) => all.map((tab) => tab.getAttribute('aria-label')))
  await expect.poll(names).toEqual(['two', 'one'])
  await app.press('closeTerminal')
  await expect.poll(names).toEqual(['two'])
  await app.press('reopenClosed')
  await expect.poll(names).toEqual(['two', 'one'])
  await other.close()
})
