import { expect, test } from './fixtures'

test('a terminal that another client makes appears without taking the focus', async ({ app }) => {
  await app.newTerminal()
  await app.page.keyboard.type('echo half')
  await app.createByHttp('agent')
  await expect(app.tab('agent')).toBeVisible()
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
  await app.run('-typed')
  await app.sees(/^half-typed$/m)
})

test('tabs are renamed in place: Enter keeps, Escape does not', async ({ app }) => {
  await app.newTerminal()
  const field = app.page.getByRole('textbox', { name: 'Rename terminal' })
  await app.tab('Terminal 1').dblclick()
  await field.fill('  tests  ')
  await field.press('Enter')
  await expect(app.tab('tests')).toBeVisible()
  await expect.poll(() => app.namesByHttp()).toEqual(['tests'])
  await app.tab('tests').focus()
  await app.page.keyboard.press('F2')
  await expect(field).toBeFocused()
  await field.fill('never')
  await field.press('Escape')
  await expect(field).toBeHidden()
  await expect(app.tab('tests')).toBeVisible()
  await app.run('echo typed')
  await app.sees(/^typed$/m)
})

test('tabs move by keyboard, and the order stays after a reload', async ({ app }) => {
  for (const name of ['one', 'two', 'three']) await app.createByHttp(name)
  await app.tab('one').click()
  await app.hasPrompt()
  await app.page.keyboard.press('Control+Shift+PageDown')
  await expect.poll(() => app.tabNames()).toEqual(['two', 'one', 'three'])
  await expect(app.page.getByText('one moved to position 2 of 3')).toBeAttached()
  await app.page.keyboard.press('Control+Shift+PageDown')
  await app.page.keyboard.press('Control+Shift+PageDown')
  await expect.poll(() => app.namesByHttp()).toEqual(['two', 'three', 'one'])
  await app.page.keyboard.press('Control+Shift+PageUp')
  await expect.poll(() => app.namesByHttp()).toEqual(['two', 'one', 'three'])
  await app.page.reload()
  await expect.poll(() => app.tabNames()).toEqual(['two', 'one', 'three'])
  await expect(app.selectedTab).toHaveAccessibleName('one')
})

test('tabs move by drag', async ({ app }) => {
  for (const name of ['one', 'two', 'three']) await app.createByHttp(name)
  await expect(app.tabs).toHaveCount(3)
  await app.tab('three').dragTo(app.tab('one'), { targetPosition: { x: 3, y: 10 } })
  await expect.poll(() => app.namesByHttp()).toEqual(['three', 'one', 'two'])
  expect(await app.tabNames()).toEqual(['three', 'one', 'two'])
})

test('a full strip keeps names readable, scrolls by wheel and under a held tab, and fades where it is cut', async ({
  app
}) => {
  for (let number = 11; number <= 24; number += 1) await app.createByHttp(`Terminal ${number}`)
  await expect(app.tabs).toHaveCount(14)
  await app.tab('Terminal 11').click()
  const strip = app.page.getByRole('tablist')
  const cut = await strip
    .locator('.name')
    .evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent))
  expect(cut).toEqual([])
  await expect(strip).toHaveClass(/cutRight/)
  await expect(strip).not.toHaveClass(/cutLeft/)
  await strip.hover()
  await app.page.mouse.wheel(0, 5_000)
  await expect(app.tab('Terminal 24')).toBeInViewport({ ratio: 1 })
  await expect(strip).toHaveClass(/cutLeft/)
  await expect(strip).not.toHaveClass(/cutRight/)
  await app.page.mouse.wheel(0, -5_000)
  await expect(app.tab('Terminal 11')).toBeInViewport({ ratio: 1 })
  const box = await strip.boundingBox()
  await app.tab('Terminal 12').hover()
  await app.page.mouse.down()
  await app.page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 4, (box?.y ?? 0) + 10, { steps: 5 })
  await expect(app.tab('Terminal 24')).toBeInViewport({ ratio: 1 })
  await app.page.mouse.up()
  await expect.poll(async () => (await app.namesByHttp()).at(-1)).toBe('Terminal 12')
})

test('a tab dropped on another session moves there; dropped above the strip it stays where it was', async ({
  app,
  tandem
}) => {
  for (const name of ['one', 'two']) await app.createByHttp(name)
  await tandem.api('POST', '/api/terminal/sessions', { project: tandem.world.home, session: 'other', name: 'there' })
  const row = app.page.getByRole('navigation', { name: 'Workspaces' }).getByRole('button', { name: /other, / })
  const box = await row.boundingBox()
  await app.tab('one').hover()
  await app.page.mouse.down()
  await app.page.mouse.move(900, 4, { steps: 5 })
  await app.page.mouse.up()
  await app.tab('two').hover()
  await app.page.mouse.down()
  await app.page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 10, { steps: 5 })
  await expect(app.page.locator('.sessionItem.dropTarget')).toContainText('other')
  await app.page.mouse.up()
  await expect.poll(() => app.namesByHttp('other')).toEqual(['there', 'two'])
  await expect.poll(() => app.tabNames()).toEqual(['one'])
  await expect(app.page.locator('.dropTarget, .draggedTab')).toHaveCount(0)
})

test('the arrow keys walk through the tabs and Delete closes one', async ({ app }) => {
  for (const name of ['one', 'two', 'three']) await app.createByHttp(name)
  await app.tab('one').focus()
  await app.page.keyboard.press('ArrowRight')
  await expect(app.selectedTab).toHaveAccessibleName('two')
  await expect(app.tab('two')).toBeFocused()
  await app.page.keyboard.press('Delete')
  await expect(app.selectedTab).toHaveAccessibleName('three')
  await expect.poll(() => app.namesByHttp()).toEqual(['one', 'three'])
})

test('closing the active tab leads to its right neighbour, closing the last one to the empty page', async ({ app }) => {
  for (const name of ['one', 'two']) await app.createByHttp(name)
  await app.tab('one').click()
  await app.hasPrompt()
  await app.page.getByTitle('Close terminal one').click()
  await expect(app.selectedTab).toHaveAccessibleName('two')
  await expect.poll(() => app.namesByHttp()).toEqual(['two'])
  await app.tab('two').click({ button: 'middle' })
  await expect(app.tabs).toHaveCount(0)
  await expect(app.page.getByRole('heading', { name: 'No terminals in default' })).toBeVisible()
})

test('a change that the host refuses is taken back and explained', async ({ app }) => {
  for (const name of ['one', 'two']) await app.createByHttp(name)
  await expect(app.tabs).toHaveCount(2)
  const error = {
    code: 'STORE_WRITE_FAILED',
    message: 'The store "x" could not be written',
    hint: 'Make room.'
  } as const
  await app.refuses('reorderTerminals', error)
  await app.tab('one').click()
  await app.page.keyboard.press('Control+Shift+PageDown')
  await expect(app.page.getByRole('region', { name: 'Messages' })).toContainText('Make room.')
  expect(await app.tabNames()).toEqual(['one', 'two'])
})

test('F6 is the way out of the terminal, where Tab belongs to the program', async ({ app }) => {
  await app.newTerminal()
  await app.page.keyboard.press('F6')
  const panel = app.page.getByRole('complementary', { name: 'Activity' })
  await expect(panel.getByRole('button', { name: 'Hide activity' })).toBeFocused()
  await app.page.keyboard.press('F6')
  await expect(app.page.getByRole('contentinfo').getByRole('button', { name: 'Settings' })).toBeFocused()
  await app.page.keyboard.press('F6')
  await expect(app.page.getByRole('button', { name: 'Hide workspaces' })).toBeFocused()
  await app.page.keyboard.press('F6')
  await expect(app.page.getByRole('navigation').getByRole('button', { name: /default/ })).toBeFocused()
  await app.page.keyboard.press('F6')
  await expect(app.tab('Terminal 1')).toBeFocused()
  await app.page.keyboard.press('F6')
  await app.run('echo back')
  await app.sees(/^back$/m)
})
