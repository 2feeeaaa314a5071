import { connectMcp } from '../harness/mcpClients'
import { expect, test } from './fixtures'

test('each command has a mark in the margin that says how it ended, also after a reload', async ({ app }) => {
  await app.newTerminal()
  const marks = app.page.locator('.terminalPane:not([hidden]) .commandEnd')
  await app.run('echo one')
  await app.run('sh -c "exit 3"')
  await app.run('sleep 1000')
  await expect(marks).toHaveCount(3)
  await expect(marks.nth(0)).toHaveAttribute('title', /^exit 0/)
  await expect(marks.nth(1)).toHaveAttribute('title', /^exit 3/)
  await expect(marks.nth(1).locator('.failed')).toBeVisible()
  await expect(marks.nth(2)).toHaveAttribute('title', 'running')
  await app.page.keyboard.press('Control+C')
  await expect(marks.nth(2)).toHaveAttribute('title', /^exit 130/)
  await app.page.reload()
  await expect(marks).toHaveCount(3)
  const line = await app.screen.locator('> div').nth(0).boundingBox()
  const mark = await marks.nth(0).boundingBox()
  expect(Math.round(mark?.y ?? -1)).toBe(Math.round(line?.y ?? -2))
  expect(mark?.x ?? 0).toBeLessThan(line?.x ?? 0)
})

test('a line that an agent typed carries its letter', async ({ app, tandem: { ready } }) => {
  await app.newTerminal()
  const agent = await connectMcp('2026', { url: ready.mcpUrl, token: ready.token, clientName: 'tester' })
  try {
    const listed = await agent.call('terminal__list_sessions')
    const { sessions } = listed.structuredContent as { sessions: { session_id: string }[] }
    await agent.call('terminal__send', { session_id: sessions[0]?.session_id ?? '', text: 'echo hi', submit: true })
    const author = app.page.locator('.terminalPane:not([hidden]) .commandAuthor')
    await expect(author).toHaveText('T')
    await expect(author).toHaveAttribute('title', 'Typed by tester')
    // What the person types has no letter.
    await expect(async () => {
      await app.run('echo mine')
      await expect(app.page.locator('.commandEnd').nth(1)).toBeVisible({ timeout: 2_000 })
    }).toPass()
    await expect(author).toHaveCount(1)
  } finally {
    await agent.close()
  }
})

test('the keys for commands scroll from one to the next, back and forth', async ({ app }) => {
  await app.newTerminal()
  for (const [index, command] of ['seq 1001 1080', 'seq 2001 2080', 'seq 3001 3080'].entries()) {
    await app.run(command)
    await expect(app.page.locator('.historyLine .end.done')).toHaveCount(index + 1)
    await app.sees(/^ready>$/m)
  }
  const top = async () => (await app.lines())[0]
  await app.page.keyboard.press('Control+Shift+ArrowUp')
  await expect.poll(top).toBe('ready> seq 3001 3080')
  await app.page.keyboard.press('Control+Shift+ArrowUp')
  await expect.poll(top).toBe('ready> seq 2001 2080')
  await expect(app.page.locator('[role=status].hidden-text')).toHaveText(/^seq 2001 2080, exit 0/)
  await app.page.keyboard.press('Control+Shift+ArrowDown')
  await expect.poll(top).toBe('ready> seq 3001 3080')
  await app.page.keyboard.press('Control+Shift+ArrowDown')
  await app.sees(/^ready>$/m)
})

test('a click on a command in the activity panel goes to the line on which it was typed', async ({ app }) => {
  await app.newTerminal()
  for (const from of [1001, 2001, 3001]) await app.run(`seq ${from} ${from + 79}`)
  await app.sees(/^3080$/m)
  await app.page
    .getByRole('complementary')
    .getByRole('button', { name: /seq 2001 2080/ })
    .click()
  await expect.poll(async () => (await app.lines())[0]).toBe('ready> seq 2001 2080')
  await app.createByHttp('another')
  await app.tab('another').click()
  await app.hasPrompt()
  await app.page
    .getByRole('complementary')
    .getByRole('button', { name: /seq 1001 1080/ })
    .click()
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
  await expect.poll(async () => (await app.lines())[0]).toBe('ready> seq 1001 1080')
})
