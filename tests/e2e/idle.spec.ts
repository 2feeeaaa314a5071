import type { Browser, Page } from '@playwright/test'
import { pause } from '../harness/waiting'
import { expect, test } from './fixtures'

const LOOK_MS = 4_000
/** A caret that blinks draws eight frames in that time; a toast that goes away may draw one. */
const FEW = 3

test('a window that nobody touches is not drawn anew, with the keyboard in a terminal', async ({ app }) => {
  const browser = app.page.context().browser()
  if (!browser) throw new Error('the page has no browser of its own')
  await app.newTerminal()
  await app.run('echo quiet $((40 + 2))')
  await app.sees(/^quiet 42$/m)
  await expect(app.page.locator('.terminalPane:not([hidden]) textarea')).toBeFocused()
  await expect.poll(() => framesDrawn(browser, app.page), { timeout: 30_000 }).toBeLessThan(FEW)
})

async function framesDrawn(browser: Browser, page: Page): Promise<number> {
  await browser.startTracing(page, { categories: ['cc', 'devtools.timeline'] })
  await pause(LOOK_MS)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: { name: string }[] }
  return traceEvents.filter(({ name }) => name === 'ProxyMain::BeginMainFrame').length
}
