import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import type { TandemPage } from './tandemPage'

test('a person opens the page, gets a prompt, runs a command, and finds it all there after a reload', async ({
  app
}) => {
  await expect(app.page.getByRole('heading', { name: 'Ready when you are' })).toBeVisible()
  await app.newTerminal()
  await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
  await app.run('echo answer $((6 * 7))')
  await app.sees('answer 42')
  await app.page.reload()
  await app.sees('answer 42')
  await app.run('echo again $((40 + 4))')
  await app.sees('again 44')
})

test('history that left the screen is still there after a reload, and so is the place where one read', async ({
  app,
  world
}) => {
  test.setTimeout(120_000)
  await app.newTerminal()
  await app.run('seq 1001 1300')
  await app.sees(/^1300$/m)
  await app.page.reload()
  await app.sees(/^1300$/m)
  expect((await app.lines()).join('\n')).not.toContain('1001')
  await app.findsAbove('1001')
  const top = (await app.lines())[0]
  const memory = join(world.dataDir, 'window-memory.json')
  // On the way there other places may have been kept.
  let kept = ''
  const isKept = () => {
    const before = kept
    kept = existsSync(memory) ? readFileSync(memory, 'utf8') : ''
    return kept.includes('scrolls') && kept === before
  }
  await expect.poll(isKept, { intervals: [1500] }).toBe(true)
  await app.page.reload()
  await expect.poll(async () => (await app.lines())[0]).toBe(top)
})

test('the page has a title, an address without the code, and a policy that holds', async ({ app, tandem }) => {
  await app.newTerminal()
  await expect(app.page).toHaveTitle('Terminal 1 · Tandem')
  expect(app.page.url()).toBe(`${tandem.ready.url}/`)
  expect(await app.page.evaluate('document.cookie')).toBe('')
})

test('a terminal in another folder opens from the form, and its workspace joins the list', async ({
  app,
  tandem,
  carrier
}) => {
  test.skip(carrier !== 'browser', 'the desktop app asks with the system’s own dialog')
  await app.page.getByRole('button', { name: 'Open folder…' }).click()
  await app.page.getByLabel('Project folder').fill(tandem.world.project)
  await app.page.getByLabel('Session', { exact: true }).fill('fix-login')
  await app.page.getByRole('button', { name: 'Open terminal' }).click()
  await app.hasPrompt()
  const row = app.page.getByRole('navigation').getByRole('button', { name: /fix-login/ })
  await expect(row).toHaveAttribute('aria-current', 'true')
  await expect(row).toHaveAccessibleName(/1 running, 1 terminal/)
  await app.run('pwd')
  await app.sees(tandem.world.project)
})

test('a folder that is not there is named in the message, with what to do', async ({ app, carrier }) => {
  test.skip(carrier !== 'browser', 'the desktop app asks with the system’s own dialog')
  await app.page.getByRole('button', { name: 'Open folder…' }).click()
  await app.page.getByLabel('Project folder').fill('/no/such/folder')
  await app.page.getByRole('button', { name: 'Open terminal' }).click()
  const messages = app.page.getByRole('region', { name: 'Messages' })
  await expect(messages).toContainText('/no/such/folder')
  await expect(messages).toContainText('INVALID_ARGUMENTS')
  await messages.getByRole('button', { name: 'Dismiss' }).click()
  await expect(messages).not.toContainText('/no/such/folder')
  await app.page.getByLabel('Project folder').fill('relative/path')
  await app.page.getByRole('button', { name: 'Open terminal' }).click()
  await expect(app.page.getByRole('alert')).toContainText('full path')
})

test.describe('when nobody was here before', () => {
  test.use({ isFirstVisit: true })

  test('the page opens with a prompt that takes keys; the next visit opens no other', async ({ app }) => {
    await app.hasPrompt()
    await app.run('echo ready at $((20 + 22))')
    await app.sees(/^ready at 42$/m)
    await expect(app.tabs).toHaveCount(1)
    await app.press('closeTerminal')
    await expect(app.page.getByRole('heading', { name: /No terminals in default|Ready when you are/ })).toBeVisible()
    await app.page.reload()
    await expect(app.page.getByRole('heading', { name: /No terminals in default|Ready when you are/ })).toBeVisible()
    await expect(app.tabs).toHaveCount(0)
  })
})

test('while its terminals are awaited the page says how many there are', async ({ app, carrier }) => {
  test.skip(carrier !== 'browser', 'the calls are held on their way through the socket')
  for (const name of ['one', 'two', 'three']) await app.createByHttp(name)
  let isHeld = true
  await app.page.routeWebSocket(/\/ui$/, (page) => {
    const server = page.connectToServer()
    const waiting: (string | Buffer)[] = []
    page.onMessage((message) => {
      if (isHeld && String(message).includes('listTerminals')) waiting.push(message)
      else for (const one of [...(isHeld ? [] : waiting.splice(0)), message]) server.send(one)
    })
  })
  await app.page.reload()
  await expect(app.page.getByText('Restoring 3 terminals…')).toBeVisible()
  await expect(app.page.getByText('0 of 3')).toBeVisible()
  await expect(app.page.locator('.tab.skeleton')).toHaveCount(3)
  isHeld = false
  // Any further call lets the held ones through.
  await app.createByHttp('four')
  await expect(app.tab('three')).toBeVisible()
  await expect(app.page.locator('.skeleton')).toHaveCount(0)
})

test.describe('while the lines of the terminals that are shown are opened', () => {
  test.skip(({ carrier }) => carrier !== 'browser', 'the lines are held on their way')

  const lastScreen = ({ page }: TandemPage) => page.locator('.terminalPane:not([hidden]) .lastScreen')

  test('the page says how many are there, and their last screens stay', async ({ app, world }) => {
    writeFileSync(join(world.dataDir, 'config.json'), JSON.stringify({ persist_buffers: true }))
    await app.createByHttp('one')
    await app.createByHttp('two')
    await expect(app.tabs).toHaveCount(2)
    await app.newTerminal()
    await app.run('echo seen $((40 + 2)) times')
    await app.sees('seen 42 times')
    const letGo = await app.holdLines()
    await app.page.reload()
    await expect(app.page.getByText('Restoring 3 terminals…')).toBeVisible()
    await expect(app.page.getByText('2 of 3')).toBeVisible()
    await expect(lastScreen(app)).toContainText('seen 42 times')
    letGo()
    await app.sees('seen 42 times')
    await expect(lastScreen(app)).toHaveCount(0)
    await expect(app.page.getByText('Restoring 3 terminals…')).toHaveCount(0)
  })

  test('a browser keeps no screen on its disk unless output is to be kept', async ({ app }) => {
    await app.newTerminal()
    await app.run('echo seen $((40 + 2)) times')
    await app.sees('seen 42 times')
    const letGo = await app.holdLines()
    await app.page.reload()
    await expect(app.page.getByText('0 of 1')).toBeVisible()
    await expect(lastScreen(app)).toHaveCount(0)
    letGo()
    await app.sees('seen 42 times')
  })
})
