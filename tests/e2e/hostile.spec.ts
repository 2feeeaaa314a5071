import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectMcp } from '../harness/mcpClients'
import { expect, test } from './fixtures'
import { MARKUP, SCHEMES } from './hostileWords'

test('markup in names and titles is text', async ({ app }) => {
  await app.createByHttp(MARKUP)
  await expect(app.selectedTab).toHaveAccessibleName(MARKUP)
  await expect(app.tabs.locator('.name')).toHaveText(MARKUP)
  await app.hasPrompt()
  await app.page.locator('.xterm').click()
  await app.run(`printf '\\033]2;%s\\007' '<img src=x onerror=window.hacked=1>'; sleep 1`)
  await expect(app.page.locator('.paneHeader .title')).toHaveText('<img src=x onerror=window.hacked=1>')
  expect(await app.page.evaluate("'hacked' in window")).toBe(false)
  await expect(app.page.locator('img')).toHaveCount(0)
})

test('markup in the names of folders, sessions and settings is text', async ({ app, world, tandem }) => {
  const folder = '<img src=x onerror=window.hacked=1>'
  mkdirSync(join(world.home, folder))
  const body = { project: join(world.home, folder), session: 'default', name: '<b>bold</b>' }
  expect((await tandem.api('POST', '/api/terminal/sessions', body)).status).toBe(200)
  await expect(app.page.getByRole('navigation').getByText(folder)).toBeVisible()
  writeFileSync(join(world.dataDir, 'config.json'), JSON.stringify({ [MARKUP]: 1, theme: MARKUP, font_family: MARKUP }))
  await expect(app.page.getByText('is not known; it is kept and ignored')).toBeVisible()
  await expect(app.page.getByText('it must be a list of fonts')).toBeVisible()
  expect(await app.page.evaluate("'hacked' in window")).toBe(false)
  await expect(app.page.locator('img, b')).toHaveCount(0)
})

test('markup in the directory, in commands and in what agents call themselves is text', async ({ app, tandem }) => {
  const folder = '<img src=x onerror=window.hacked=1>'
  await app.newTerminal()
  await app.run(`mkdir '${folder}' && cd '${folder}' && : '${MARKUP}'`)
  await expect(app.page.locator('.paneHeader .cwd')).toHaveText(`~/${folder}`)
  await expect(app.page.getByRole('complementary', { name: 'Activity' })).toContainText('window.hacked=1')
  await app.run(`printf '\\033]7;file://%s/%s\\007' '${MARKUP}' '${MARKUP}'; printf '\\033]0;%s\\007' '${MARKUP}'`)
  const { mcpUrl: url, token } = tandem.ready
  const agent = await connectMcp('2026', { url, token, clientName: folder })
  await agent.call('terminal__list_sessions')
  await expect(app.page.getByRole('navigation', { name: 'Workspaces' }).getByText(folder).first()).toBeVisible()
  await agent.close()
  expect(await app.page.evaluate("'hacked' in window")).toBe(false)
  await expect(app.page.locator('img, script:not([src])')).toHaveCount(0)
})

test('forty other schemes are no links, printed as such or hidden behind a text', async ({ app, world }) => {
  const lines = SCHEMES.map((scheme) => `\x1b]8;;${scheme}:x\x07${scheme}://here\x1b]8;;\x07`)
  writeFileSync(join(world.home, 'links'), `${lines.join('\r\n')}\r\n`)
  await app.page.setViewportSize({ width: 900, height: 1000 })
  await app.newTerminal()
  await app.run('clear; cat links')
  await app.sees(`${SCHEMES.at(-1)}://here`)
  await app.page.keyboard.down('Control')
  for (const row of await app.screen.locator('> div', { hasText: '://here' }).all()) {
    const box = await row.boundingBox()
    await app.page.mouse.click((box?.x ?? 0) + 30, (box?.y ?? 0) + 8)
  }
  await app.page.keyboard.up('Control')
  await expect(app.page.getByRole('dialog')).toHaveCount(0)
  expect(app.opened).toEqual([])
})

test('a flood of terminal queries makes the page send nothing', async ({ app, world }) => {
  const queries = ['c', '>c', '=c', '5n', '6n', '?6n', '?2004$p', '>q', '14t', '18t', '21t', '?u'].map(
    (end) => `\x1b[${end}`
  )
  const strings = [']10;?', ']11;?', ']4;1;?', ']52;c;?', 'P$qm', 'P+q544e'].map((body) => `\x1b${body}\x1b\\`)
  writeFileSync(join(world.home, 'queries'), [...queries, ...strings].join('').repeat(200))
  // What the host answers is read by the program, not left for the shell.
  writeFileSync(
    join(world.home, 'ask'),
    "stty raw -echo; cat queries; sleep 1; timeout --foreground 1 cat >/dev/null; stty sane; clear; echo 'flood over'"
  )
  const typed: string[] = []
  app.page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      if (String(payload).startsWith('0')) typed.push(String(payload).slice(1))
    })
  })
  await app.newTerminal()
  await app.run('sh ask')
  await expect.poll(() => typed.join('')).toBe('sh ask\r')
  await app.sees(/^flood over$/m)
  expect(typed.join('')).toBe('sh ask\r')
  await app.page.reload()
  await app.sees(/^flood over$/m)
  expect(typed.join('')).toBe('sh ask\r')
})

test('a program cannot write to the clipboard, whichever it names', async ({ app, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await app.page.evaluate("navigator.clipboard.writeText('mine')")
  await app.newTerminal()
  await app.run(
    `for target in '' c p q s 0 1 2 3 4 5 6 7 cps; do printf '\\033]52;%s;aGFja2Vk\\007' "$target"; done; echo tried`
  )
  await app.sees(/^tried$/m)
  expect(await app.page.evaluate('navigator.clipboard.readText()')).toBe('mine')
})

test('links open only with Ctrl held, after a question that shows where they lead, and only http and https ones', async ({
  app,
  context
}) => {
  await context.route('http://link.example/**', (route) => route.fulfill({ body: 'page' }))
  await app.newTerminal()
  const link = (address: string, text: string) => `\\033]8;;${address}\\007${text}\\033]8;;\\007\\n`
  await app.run(
    `clear; printf '${link('file:///etc/passwd', 'bad-link')}${link('http://link.example/a', 'good-link')}'`
  )
  await app.sees(/^good-link/m)
  const row = async (text: string) => (await app.lines()).findIndex((line) => line.startsWith(text))
  const click = async (text: string, held: 'Control' | undefined) => {
    const box = await app.screen
      .locator('> div')
      .nth(await row(text))
      .boundingBox()
    if (!box) throw new Error(`no row with ${text}`)
    if (held) await app.page.keyboard.down(held)
    await app.page.mouse.move(box.x + 30, box.y + box.height / 2, { steps: 3 })
    await app.page.mouse.click(box.x + 30, box.y + box.height / 2)
    if (held) await app.page.keyboard.up(held)
  }
  await click('good-link', undefined)
  await click('bad-link', 'Control')
  await expect(app.page.getByRole('dialog')).toHaveCount(0)
  await click('good-link', 'Control')
  const question = app.page.getByRole('dialog', { name: 'Open link.example?' })
  await expect(question).toContainText('http://link.example/a')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await click('good-link', 'Control')
  expect(app.opened).toEqual([])
  await question.getByRole('button', { name: 'Open', exact: true }).click()
  await expect.poll(() => app.opened).toEqual(['http://link.example/a'])
  for (const page of context.pages()) expect(await page.evaluate('window.opener')).toBeNull()
})

test('pasted text is typed as text: escape sequences in it are not keys', async ({ app, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await app.newTerminal()
  await app.page.evaluate(String.raw`navigator.clipboard.writeText('echo pas\x1b[D\x03ted')`)
  await app.page.keyboard.press('Control+Shift+V')
  await app.page.keyboard.press('Enter')
  await app.sees(/^pas\[Dted/m)
})
