import type { Browser, Page } from '@playwright/test'
import { inject, rounds } from './faultReport'
import { expect, test } from './fixtures'
import { TandemPage } from './tandemPage'

// The page holds no truth: whatever becomes of its process or of the graphics card, the next look shows the same.

const count = rounds({ quick: 1, full: 200 })

/** Something on the screen that no other state of the terminal shows. */
async function paint(app: TandemPage, round: number): Promise<string[]> {
  await app.run(`clear; seq ${round}001 ${round}020; printf '\\033[1;31mred\\033[0m 漢字 🙂 end-%s\\n' ${round}`)
  await app.sees(new RegExp(`end-${round}$`, 'm'))
  await app.hasPrompt()
  return app.lines()
}

test('a page whose process is killed shows the same screen when it is opened again', async ({
  app,
  context,
  tandem
}) => {
  test.setTimeout(60_000 + count * 20_000)
  await app.newTerminal()
  let current = app
  await inject({ row: 'B26', fault: 'the process of the page is killed', count }, async (round) => {
    const before = await paint(current, round)
    await crash(current.page)
    await current.page.close()
    const page = await context.newPage()
    await page.goto(tandem.ready.url)
    current = new TandemPage(page, tandem)
    await expect.poll(() => current.lines()).toEqual(before)
    await page.locator('.terminalPane:not([hidden]) .xterm').click()
    await current.run(`echo again-$((${round}+1))`)
    await current.sees(`again-${round + 1}`)
  })
})

async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  // The answer never comes: there is nobody left to give it.
  session.send('Page.crash').catch(() => undefined)
  await crashed
}

test('a page whose graphics process is killed goes on with the same screen', async ({ app, browser }) => {
  test.setTimeout(60_000 + count * 20_000)
  await app.newTerminal()
  await inject({ row: 'B26', fault: 'the graphics process is killed', count }, async (round) => {
    const before = await paint(app, round)
    await killGraphics(browser)
    await expect.poll(() => app.lines()).toEqual(before)
    await app.run(`echo drawn-$((${round}+1))`)
    await app.sees(`drawn-${round + 1}`)
  })
})

async function killGraphics(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const graphics = processInfo.find(({ type }) => type === 'GPU')
  if (graphics) process.kill(graphics.id, 'SIGKILL')
  await session.detach()
  expect(graphics, 'the browser has a process for graphics').toBeDefined()
}

test('a page that is reloaded in the middle of a flood misses nothing', async ({ app }) => {
  test.setTimeout(60_000 + count * 20_000)
  await app.newTerminal()
  await inject({ row: 'B26', fault: 'the page is reloaded during a flood', count }, async (round) => {
    await app.run(`clear; seq 1 200000; echo over-${round}`)
    await app.sees(/^\d{4,}$/m)
    await app.page.reload()
    // First comes the visible screen, then the whole with its history: the last state is what counts.
    await expect.poll(() => endOfFlood(app, round)).toBe('whole')
    await app.page.locator('.terminalPane:not([hidden]) .xterm').click()
  })
})

/** `whole` when the last lines of the flood stand there one after the other, else what is wrong. */
async function endOfFlood(app: TandemPage, round: number): Promise<string> {
  const lines = (await app.lines()).filter((line) => line !== '')
  const end = lines.indexOf(`over-${round}`)
  const numbers = lines.slice(0, Math.max(0, end)).filter((line) => /^\d+$/.test(line))
  if (numbers.length < 5) return `${numbers.length} lines before the end`
  const wrong = numbers.find((line, index) => Number(line) !== 200_000 - numbers.length + 1 + index)
  return wrong === undefined ? 'whole' : `${wrong} is out of place`
}
