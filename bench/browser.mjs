import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))
const VIEWPORT = { width: 1280, height: 800 }
const PATIENCE_MS = 120_000

/** In every page: when a text is first on the screen, and the longest time between two frames meanwhile. */
const WATCH = `window.bench = {
  /** From now, or from when the page was asked for, until the rows of a terminal hold the text; presses what is named. */
  until({ text, fromLoad = false, press }) {
    return new Promise((resolve) => {
      const began = fromLoad ? 0 : performance.now()
      let last = performance.now()
      let longest = 0
      let pressed = !press
      const look = () => {
        const now = performance.now()
        longest = Math.max(longest, now - last)
        last = now
        const button = pressed ? undefined : [...document.querySelectorAll('button')].find((one) => one.textContent.startsWith(press))
        if (button) {
          pressed = true
          button.click()
        }
        const rows = [...document.querySelectorAll('.terminalPane:not([hidden]) .xterm-rows, .bare .xterm-rows')]
        if (rows.some((one) => one.textContent.includes(text))) resolve({ ms: now - began, longest })
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  }
}`

/** A real browser, with what a bench asks of it. Undefined where there is none. */
export async function startBrowser({ children }) {
  if (!CHROMIUM) return undefined
  const browser = await chromium.launch({ executablePath: CHROMIUM })
  const close = async () => {
    children.delete(close)
    await browser.close()
  }
  children.add(close)
  return {
    close,
    /** A page in a profile of its own, as a first visit is. */
    async page() {
      const context = await browser.newContext({ viewport: VIEWPORT })
      await context.addInitScript(WATCH)
      const page = await context.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      const until = (what) => page.evaluate(`window.bench.until(${JSON.stringify(what)})`)
      return { page, until, close: () => context.close() }
    },
    /** Processor time of all of the browser's processes so far. */
    async cpuMs() {
      const session = await browser.newBrowserCDPSession()
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      await session.detach()
      return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0)
    }
  }
}
