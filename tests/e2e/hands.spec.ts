import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { TandemPage } from './tandemPage'

const read = (page: Page) => page.evaluate('navigator.clipboard.readText()')
const put = (page: Page, text: string) => page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)

/** What the page sends to terminals as typed, from now on. */
function typedOn(page: Page): () => string {
  const typed: string[] = []
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      if (String(payload).startsWith('0')) typed.push(String(payload).slice(1))
    })
  })
  return () => typed.join('')
}

/** Drops one file on the terminal, as the page sees it. */
const dropFile = (page: Page, name: string) =>
  page.evaluate(`(() => {
    const file = Object.assign(new File(['x'], 'x'), { standInPath: '/dropped/' + ${JSON.stringify(name)} })
    const dataTransfer = { types: ['Files'], files: [file] }
    const target = document.querySelector('.terminalPane:not([hidden]) .xterm-screen')
    for (const type of ['dragover', 'drop']) {
      const event = new DragEvent(type, { bubbles: true, cancelable: true })
      target.dispatchEvent(Object.defineProperty(event, 'dataTransfer', { value: dataTransfer }))
    }
  })()`)

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']))

test('what is copied has its lines whole and no spaces at their ends; the menu keeps the selection', async ({
  app
}) => {
  await app.newTerminal()
  const long = 'word '.repeat(60).trimEnd()
  await app.run(`clear; printf '%s\\nshort   \\n' '${long}'`)
  await app.sees(/^short/m)
  await app.page.locator('.xterm-screen').click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: 'Select all' }).click()
  await app.page.locator('.xterm-screen').click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: 'Copy' }).click()
  await expect.poll(() => read(app.page)).toContain(`${long}\nshort\n`)
})

test('Ctrl+C always interrupts; with a selection the page says once how to copy', async ({ app }) => {
  await app.newTerminal()
  await app.run('echo some words; sleep 1000')
  await app.sees(/^some words/m)
  await app.page.locator('.xterm-screen').dblclick({ position: { x: 20, y: 30 } })
  await app.page.keyboard.press('Control+C')
  await app.sees('^C')
  await expect(app.page.getByText('press Ctrl+Shift+C')).toBeVisible()
  await app.page.getByRole('button', { name: 'Dismiss' }).click()
  await app.page.locator('.xterm-screen').dblclick({ position: { x: 20, y: 30 } })
  await app.page.keyboard.press('Control+C')
  // A shell that is taking its terminal back may lose a key.
  await app.sees(/\^C\s+ready>\s*$/)
  await app.run('echo still $((1 + 1))')
  await app.sees('still 2')
  await expect(app.page.getByText('press Ctrl+Shift+C')).toHaveCount(0)
})

test('several lines are asked about only where each would run by itself', async ({ app }) => {
  await app.newTerminal()
  await put(app.page, 'echo first\necho second')
  const question = app.page.getByRole('dialog', { name: 'Paste 2 lines?' })
  await app.page.keyboard.press('Control+Shift+V')
  await app.sees('echo second')
  await expect(question).toHaveCount(0)
  await app.page.keyboard.press('Enter')
  await app.sees(/^second$/m)
  await app.run('clear; echo begun; cat > /dev/null')
  await app.sees(/^begun$/m)
  await app.page.keyboard.press('Control+Shift+V')
  await expect(question).toContainText('echo first')
  await app.page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  expect(await app.lines()).not.toContain('echo first')
  await app.page.keyboard.press('Control+Shift+V')
  await question.getByRole('button', { name: 'Paste' }).click()
  await app.sees(/^echo first$/m)
})

test('Shift+Insert types what was selected last, and selecting copies when that is wished', async ({ app, world }) => {
  await app.newTerminal()
  await put(app.page, 'mine')
  await app.run('clear; echo selectme')
  await app.sees(/^selectme$/m)
  const word = app.page.locator('.xterm-rows > div', { hasText: /^selectme/ })
  const selectWord = async () => {
    const box = await word.first().boundingBox()
    await app.page.mouse.dblclick((box?.x ?? 0) + 20, (box?.y ?? 0) + 8)
  }
  await selectWord()
  await app.page.keyboard.type('echo got-')
  await app.page.keyboard.press('Shift+Insert')
  await app.page.keyboard.press('Enter')
  await app.sees(/^got-selectme$/m)
  expect(await read(app.page)).toBe('mine')
  writeFileSync(join(world.dataDir, 'config.json'), '{ "copy_on_select": true, "cursor_style": "bar" }')
  const copied = async () => {
    await selectWord()
    return read(app.page)
  }
  await expect.poll(copied).toBe('selectme')
})

test('a program writes to the clipboard where that is allowed, and is told of; it never reads it', async ({
  app,
  world
}) => {
  const typed = typedOn(app.page)
  writeFileSync(join(world.dataDir, 'config.json'), '{ "clipboard_write": "allow" }')
  await app.page.reload()
  await app.newTerminal()
  await put(app.page, 'mine')
  await app.run(`printf '\\033]52;c;%s\\007' $(printf 'from the program' | base64)`)
  await expect(app.page.getByText('copied 16 characters')).toBeVisible()
  expect(await read(app.page)).toBe('from the program')
  const before = typed()
  await app.run(`printf '\\033]52;c;?\\007'; echo asked`)
  await app.sees(/^asked$/m)
  expect(typed().slice(before.length)).toBe(`printf '\\033]52;c;?\\007'; echo asked\r`)
})

test('a file dropped on the desktop window is typed as its quoted path', async ({ page, startDesktop }) => {
  const desktop = startDesktop()
  await desktop.show(page)
  const app = new TandemPage(page)
  await app.newTerminal()
  await page.keyboard.type('echo ')
  await dropFile(page, "it's a file.txt")
  await app.sees(String.raw`echo '/dropped/it'\''s a file.txt'`)
  await page.keyboard.press('Enter')
  await app.sees(/^\/dropped\/it's a file\.txt/m)
  await desktop.ask('closeWindows').catch(() => undefined)
})

test('a browser says that it cannot tell where a dropped file lies', async ({ app, carrier }) => {
  test.skip(carrier !== 'browser', 'the desktop app knows where it lies')
  await app.newTerminal()
  await dropFile(app.page, 'a.txt')
  await expect(app.page.getByText('A browser does not tell a page where a file lies')).toBeVisible()
})

test('Shift+Enter is told apart only for a program that asked for it', async ({ app }) => {
  const typed = typedOn(app.page)
  await app.page.reload()
  await app.newTerminal()
  await app.run('echo plain')
  await app.page.keyboard.press('Shift+Enter')
  await app.run(`printf '\\033[>1u'; echo ready-$((1 + 1)); cat -v`)
  await app.sees(/^ready-2$/m)
  await app.page.keyboard.press('Shift+Enter')
  await app.sees('^[[13;2u')
  await app.page.keyboard.press('Control+C')
  expect(typed().startsWith('echo plain\r\rprintf')).toBe(true)
})

test('the wheel scrolls the history, and the program while one fills the screen; new output does not pull the reader back', async ({
  app,
  world
}) => {
  await app.newTerminal()
  await app.run('seq 1 300; (sleep 3; echo late) &')
  await app.sees(/^300$/m)
  await app.page.locator('.xterm-screen').hover()
  const linesAbove = async () => {
    await app.page.mouse.wheel(0, -600)
    return app.lines()
  }
  await expect.poll(linesAbove).not.toContain('300')
  const seen = await app.lines()
  // The line about what came is in the output by then; the reader sees what was there.
  await expect.poll(() => world.tmux('capture-pane', '-p', '-t', ':')).toContain('late')
  expect(await app.lines()).toEqual(seen)
  const linesBelow = async () => {
    await app.page.mouse.wheel(0, 20_000)
    return (await app.lines()).join('\n')
  }
  await expect.poll(linesBelow).toContain('late')
  await app.run('seq 1 300 | less')
  await app.sees(/^:$/m)
  await app.page.mouse.wheel(0, 600)
  await expect.poll(() => app.lines()).not.toContain('1')
  await app.page.keyboard.press('q')
})

test('Escape and Tab lead out of the terminal; Tab alone belongs to the program', async ({ app }) => {
  await app.newTerminal()
  const isInside = () => app.page.evaluate(`document.activeElement?.closest('.xtermHost') !== null`)
  await app.page.keyboard.press('Tab')
  expect(await isInside()).toBe(true)
  await app.page.keyboard.press('Escape')
  await app.page.keyboard.press('Tab')
  await expect.poll(isInside).toBe(false)
})

test('the terminal can be read as text, under a heading for each command', async ({ app }) => {
  await app.newTerminal()
  await app.run('echo one $((40 + 2))')
  await app.sees(/^one 42$/m)
  await app.page.keyboard.press('Alt+F2')
  const text = app.page.getByRole('dialog', { name: 'Terminal as text' })
  await expect(text.getByRole('heading', { name: /echo one .* exit 0/ })).toBeVisible()
  await expect(text.locator('pre').last()).toContainText('one 42')
  await app.page.keyboard.press('Escape')
  await expect(text).toHaveCount(0)
  await app.run('echo back')
  await app.sees(/^back$/m)
})

test('a terminal that was just gone to is read as text too: its screen is waited for', async ({ app, carrier }) => {
  test.skip(carrier !== 'browser', 'what comes in late is held back in the browser’s socket')
  await app.newTerminal()
  await app.run('echo one $((40 + 2))')
  await app.sees(/^one 42$/m)
  await app.newTerminal()
  await app.page.routeWebSocket(/\/ws\?/, (page) => {
    const server = page.connectToServer()
    server.onMessage((message) => setTimeout(() => page.send(message), 700))
  })
  await app.page.reload()
  await app.tab('Terminal 1').click()
  await expect(app.page.locator('.terminalPane:not([hidden]) textarea')).toBeFocused()
  await app.page.keyboard.press('Alt+F2')
  const article = app.page.getByRole('dialog', { name: 'Terminal as text' }).getByRole('article')
  await expect(article).toBeFocused()
  await expect(article).toContainText('one 42')
})
