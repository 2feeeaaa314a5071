import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { connectMcp, type McpClient } from '../harness/mcpClients'
import { inject, rounds } from './faultReport'
import { expect, test } from './fixtures'
import { TandemPage } from './tandemPage'

// The page holds no truth: whatever becomes of its process or of the graphics card, the next look shows the same.

const count = rounds({ quick: 1, full: 200 })
const TOLD_WITHIN_MS = 5000

/** Something on the screen that no other state of the terminal shows. */
const painting = (round: number) =>
  `clear; seq ${round}001 ${round}020; printf '\\033[1;31mred\\033[0m 漢字 🙂 end-%s\\n' ${round}`

/** What is drawn: the rows, and how the word in red stands there. */
async function drawn(app: TandemPage): Promise<{ rows: string[]; red: string[] }> {
  const red = await app.page.evaluate<string[]>(`
    [...document.querySelectorAll('.terminalPane:not([hidden]) .xterm-rows span')]
      .filter((span) => span.textContent.startsWith('red'))
      .map((span) => getComputedStyle(span).color + ' ' + getComputedStyle(span).fontWeight)`)
  return { rows: await app.lines(), red }
}

async function paint(app: TandemPage, round: number): Promise<{ rows: string[]; red: string[] }> {
  await app.run(painting(round))
  await app.sees(new RegExp(`end-${round}$`, 'm'))
  await app.hasPrompt()
  const before = await drawn(app)
  expect(before.red).toHaveLength(1)
  return before
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
    await expect.poll(() => drawn(current)).toEqual(before)
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

test('a page whose graphics process is killed goes on with the same picture', async ({
  page,
  browser,
  tandem,
  world
}) => {
  test.setTimeout(60_000 + count * 30_000)
  writeFileSync(join(world.dataDir, 'config.json'), '{ "renderer": "gpu" }')
  const agent = await connectMcp('2026', { url: tandem.ready.mcpUrl, token: tandem.ready.token })
  await page.goto(tandem.ready.openUrl)
  await page.getByRole('button', { name: 'New terminal' }).last().click()
  const app = new TandemPage(page, tandem)
  const host = page.locator('.terminalPane:not([hidden]) .xtermHost')
  const picture = async () =>
    createHash('sha256')
      .update(await host.screenshot())
      .digest('hex')
  await inject({ row: 'B26', fault: 'the graphics process is killed', count }, async (round) => {
    await expect(host).toHaveAttribute('data-renderer', 'gpu')
    await host.click()
    await app.run(painting(round))
    await expect.poll(() => hostRows(agent)).toContain(`red 漢字 🙂 end-${round}`)
    const before = await settled(picture)
    await killGraphics(browser)
    await expect.poll(picture).toBe(before)
    await app.run(`clear; echo drawn-$((${round}+1))`)
    await expect.poll(() => hostRows(agent)).toContain(`drawn-${round + 1}`)
    await expect.poll(picture).not.toBe(before)
    const after = await settled(picture)
    await page.reload()
    await host.click()
    await expect.poll(picture).toBe(after)
  })
  await agent.close()
})

/** A picture that was the same twice. */
async function settled(picture: () => Promise<string>): Promise<string> {
  let last = await picture()
  await expect(async () => {
    const next = await picture()
    const isSame = next === last
    last = next
    expect(isSame).toBe(true)
  }).toPass()
  return last
}

/** What the host says is on the screen of its only terminal. */
async function hostRows(agent: McpClient): Promise<string[]> {
  const listed = await agent.call('terminal__list_sessions', {})
  const [{ session_id } = { session_id: '' }] = (listed.structuredContent as { sessions: { session_id: string }[] })
    .sessions
  const { structuredContent } = await agent.call('terminal__read', { session_id, view: 'screen' })
  return String(structuredContent?.content).split('\n')
}

async function killGraphics(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const graphics = processInfo.find(({ type }) => type === 'GPU')
  if (graphics) process.kill(graphics.id, 'SIGKILL')
  await session.detach()
  expect(graphics, 'the browser has a process for graphics').toBeDefined()
}

test('a page whose host hangs says so with the last screen kept and typing off, and goes on when the host does', async ({
  app,
  tandem
}) => {
  test.setTimeout(60_000 + count * 60_000)
  await app.newTerminal()
  const banner = app.page.getByRole('alert')
  await inject({ row: 'B15', fault: 'the host hangs under a page', count }, async (round, limit) => {
    await app.run(`echo before it hung ${round}`)
    await app.sees(new RegExp(`^before it hung ${round}$`, 'm'))
    process.kill(tandem.ready.pid, 'SIGSTOP')
    const stoppedMs = performance.now()
    try {
      await expect(banner).toContainText('Connection lost', { timeout: 30_000 })
      limit('toldMs', performance.now() - stoppedMs, TOLD_WITHIN_MS)
      await app.sees(new RegExp(`^before it hung ${round}$`, 'm'))
      await app.page.keyboard.type('never arrives')
    } finally {
      process.kill(tandem.ready.pid, 'SIGCONT')
    }
    await expect(banner).toBeHidden({ timeout: 30_000 })
    await app.page.locator('.terminalPane .xterm').click()
    await app.run(`echo after it hung ${round}`)
    await app.sees(new RegExp(`^after it hung ${round}$`, 'm'))
    await expect(app.page.getByText('never arrives')).toHaveCount(0)
  })
})

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
