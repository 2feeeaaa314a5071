import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startBrowser } from '../browser.mjs'
import { call, createTerminal, killTerminals } from '../client.mjs'
import { startHost, startProcess } from '../host.mjs'
import { streamFile } from '../parts/streams.mjs'

const BARE = fileURLToPath(new URL('../parts/bareTerminal.mjs', import.meta.url))
const PROMPT = '$ '
const LOG_BYTES = 10_000_000
const TABS = 20
const SETTLE_MS = 4000
const IDLE_MS = 10_000
const QUICK_IDLE_MS = 4000
const NO_BROWSER = 'there is no Chromium here'

/** From the moment a window is asked for to the prompt of its first terminal, beside a page that is nothing but xterm.js. */
export const windowStart = {
  id: 'window',
  open: (world) =>
    withBrowser(world, ({ browser, host, bare }) => ({
      rows: [
        {
          key: 'ms',
          name: 'window to first prompt',
          unit: 'ms',
          better: 'lower',
          target: { of: 'product', atMost: 1500 }
        }
      ],
      limit: () => firstPrompt(browser, bareUrl(bare, { columns: 120, rows: 34 })),
      product: async () => {
        const figures = await firstPrompt(browser, await freshUrl(host), 'New terminal')
        await killTerminals(host, world.env.HOME, 'default')
        return figures
      }
    }))
}

async function firstPrompt(browser, url, press) {
  const { page, until, close } = await browser.page()
  await page.goto(url, { waitUntil: 'commit' })
  const { ms } = await until({ text: PROMPT, fromLoad: true, press })
  await close()
  return { ms }
}

/**
 * 10 MB of coloured log in the tab that is looked at: how long until its end is on the screen, and the longest frame. The
 * bare page has its shell where the product has it: tmux alone takes as long for such a log as that page.
 */
const logRow = (id, backend) => ({
  id,
  open: (world) =>
    withBrowser({ ...world, backend }, async ({ browser, host, bare }) => {
      const command = `clear; cat ${streamFile(world, 'colour', LOG_BYTES)}`
      await createTerminal(host, world.env.HOME, 'default')
      const shown = await openProduct(browser, host)
      const size = await shown.page.locator('.statusLine .size').textContent()
      const [columns, rows] = size.split('×').map(Number)
      const plain = await openBare(browser, bareUrl(bare, { columns, rows, backend }))
      const name = (what) => `10 MB of coloured log in the visible tab, ${backend}: ${what}`
      return {
        rows: [
          { key: 'ms', name: name('time'), unit: 'ms', better: 'lower', target: { of: 'ratio', atMost: 1.3 } },
          {
            key: 'longest',
            name: name('longest frame'),
            unit: 'ms',
            better: 'lower',
            target: { of: 'product', atMost: 100 }
          }
        ],
        limit: () => log(plain, command),
        product: () => log(shown, command),
        close: async () => {
          await Promise.all([shown.close(), plain.close()])
          await killTerminals(host, world.env.HOME, 'default')
        }
      }
    })
})

export const windowLog = logRow('window-log', 'tmux')
export const windowLogPty = logRow('window-log-pty', 'pty')

let logs = 0

async function log({ page, until }, command) {
  // Another text each time: the last one may still be on the screen.
  const number = ++logs
  await page.bringToFront()
  await page.keyboard.type(`${command}; echo log ${number} is ov''er`)
  const over = until({ text: `log ${number} is over` })
  await page.keyboard.press('Enter')
  const { ms, longest } = await over
  return { ms, longest }
}

/** What the browser's processes do while nobody does anything, with 20 tabs open, beside the same browser without. */
export const windowIdle = {
  id: 'window-idle',
  open: (world) =>
    withBrowser(world, async ({ browser, host }) => {
      const idleMs = world.quick ? QUICK_IDLE_MS : IDLE_MS
      for (let tab = 0; tab < TABS; tab += 1) await createTerminal(host, world.env.HOME, 'default')
      return {
        rows: [
          {
            key: 'percent',
            name: `processor time of the idle window, ${TABS} tabs`,
            unit: '% of a core',
            better: 'lower',
            slack: 0.5,
            target: { of: 'product', atMost: 1 }
          }
        ],
        limit: async () => {
          const blank = await browser.page()
          await blank.page.goto('about:blank')
          return idle(browser, blank, idleMs)
        },
        product: async () => idle(browser, await openProduct(browser, host), idleMs),
        close: () => killTerminals(host, world.env.HOME, 'default')
      }
    })
}

async function idle(browser, shown, idleMs) {
  await pause(SETTLE_MS)
  const before = await browser.cpuMs()
  const began = performance.now()
  await pause(idleMs)
  const percent = (((await browser.cpuMs()) - before) / (performance.now() - began)) * 100
  await shown.close()
  return { percent }
}

async function openProduct(browser, host) {
  const shown = await browser.page()
  await shown.page.goto(await freshUrl(host))
  await shown.until({ text: PROMPT })
  await shown.page.locator('.terminalPane:not([hidden]) .xterm-screen').click()
  return shown
}

async function openBare(browser, url) {
  const shown = await browser.page()
  await shown.page.goto(url)
  await shown.until({ text: PROMPT })
  return shown
}

const bareUrl = ({ url }, size) => `${url}/?${new URLSearchParams(size)}`

async function freshUrl(host) {
  const { openUrl } = await call(host, { method: 'POST', path: '/api/open-code', body: {} })
  return openUrl
}

/** A browser, the product and the bare page for one scenario; all of them end with it. */
async function withBrowser(world, make) {
  const browser = await startBrowser(world)
  if (!browser) return { skip: NO_BROWSER }
  const host = await startHost(world, { probe: false, backend: world.backend })
  const args = [JSON.stringify(world.bareArguments())]
  const bare = await startProcess(world, { script: BARE, args, probe: false })
  const scenario = await make({ browser, host, bare })
  return {
    ...scenario,
    async close() {
      await scenario.close?.()
      await browser.close()
      await Promise.all([bare.stop(), host.stop()])
    }
  }
}
