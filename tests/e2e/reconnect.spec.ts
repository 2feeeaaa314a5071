import type { Locator } from '@playwright/test'
import { Tandem } from '../harness/tandem'
import { expect, test } from './fixtures'
import { PROMPT } from './tandemPage'

test.describe('when the host is killed', () => {
  test.use({ hostMayDie: true })

  test('the page says so and keeps the last screen; after a restart it asks for a fresh key and loses nothing', async ({
    app,
    tandem,
    world
  }) => {
    await app.newTerminal()
    await app.run('seq 2001 2200; echo before the end')
    await app.sees(/^before the end$/m)
    await tandem.end('SIGKILL')
    const banner = app.page.getByRole('alert')
    await expect(banner).toContainText('Connection lost')
    await app.sees(/^before the end$/m)
    // Nothing that can be read lies under it, also where it needs several lines.
    const top = async (part: Locator) => (await part.boundingBox())?.y ?? 0
    const bottom = async (part: Locator) => (await top(part)) + ((await part.boundingBox())?.height ?? 0)
    const last = app.page.locator('.xterm-rows > div', { hasText: PROMPT.trimEnd() }).last()
    for (const width of [1280, 390]) {
      await app.page.setViewportSize({ width, height: 700 })
      expect(await bottom(banner)).toBeLessThanOrEqual(await top(app.page.locator('.paneHeader')))
      await expect.poll(() => bottom(last)).toBeLessThanOrEqual(await bottom(app.page.locator('.screen')))
    }

    const again = await Tandem.start(world, ['--port', new URL(tandem.ready.url).port])
    const card = app.page.getByRole('alertdialog')
    await expect(card).toContainText('tandem open')
    await expect(banner).toBeHidden()

    await app.page.goto(again.ready.openUrl)
    await app.sees(/^before the end$/m)
    await expect(app.selectedTab).toHaveAccessibleName('Terminal 1')
    await expect(app.page.getByText('1 terminal kept running while Tandem was closed.')).toBeVisible()
    await app.findsAbove('2001')
    await app.run('echo after $((1 + 1))')
    await app.sees('after 2')
    await again.end('SIGTERM')
  })

  test('a page whose key was renewed in another tab comes back by itself', async ({ app, tandem, world, context }) => {
    await app.newTerminal()
    await app.run('echo still here')
    await app.sees(/^still here$/m)
    await tandem.end('SIGKILL')
    const again = await Tandem.start(world, ['--port', new URL(tandem.ready.url).port])
    await expect(app.page.getByRole('alertdialog')).toBeVisible()
    const other = await context.newPage()
    await other.goto(again.ready.openUrl)
    await other.close()
    await app.page.bringToFront()
    await app.page.getByRole('button', { name: 'Try again' }).click()
    await expect(app.page.getByRole('alertdialog')).toBeHidden()
    await app.page.locator('.terminalPane .xterm').click()
    await app.run('echo and typing')
    await app.sees(/^and typing$/m)
    await again.end('SIGTERM')
  })
})

test.describe('when only the line to a terminal breaks', () => {
  test.use({ viewport: { width: 1000, height: 1900 } })

  test('the stream goes on at the next byte: every line once and in order', async ({ app }) => {
    const lines: { cut(): void }[] = []
    const addresses: string[] = []
    await app.page.routeWebSocket(/\/ws\?/, (page) => {
      addresses.push(page.url())
      page.connectToServer()
      lines.push({ cut: () => void page.close({ code: 3001 }) })
    })
    await app.newTerminal()
    await app.run('for i in $(seq 1 60); do echo "line $i."; sleep 0.05; done; echo all done')
    for (const seen of ['line 10.', 'line 25.', 'line 40.']) {
      await app.sees(seen)
      lines.at(-1)?.cut()
      await expect.poll(() => lines.length).toBeGreaterThan(addresses.length - 1)
    }
    await app.sees(/^all done$/m)
    const shown = (await app.lines()).filter((line) => line.startsWith('line '))
    expect(shown).toEqual(Array.from({ length: 60 }, (_, index) => `line ${index + 1}.`))
    expect(addresses.length).toBeGreaterThan(1)
    for (const address of addresses.slice(1)) expect(address).toMatch(/[?&]from=\d+/)
  })

  test('what is typed while it is opened again arrives, from the first key on', async ({ app }) => {
    const lines: { cut(): void }[] = []
    let isHeld = false
    await app.page.routeWebSocket(/\/ws\?/, (page) => {
      const server = page.connectToServer()
      const waiting: (string | Buffer)[] = []
      let isOpen = !isHeld
      server.onMessage((message) => (isOpen ? page.send(message) : void waiting.push(message)))
      lines.push({
        cut: () => {
          isHeld = true
          void page.close({ code: 3001 })
        }
      })
      if (isOpen) return
      setTimeout(() => {
        isOpen = true
        for (const message of waiting) page.send(message)
      }, 700)
    })
    await app.newTerminal()
    lines.at(-1)?.cut()
    await expect.poll(() => lines.length).toBe(2)
    await app.run('echo typed $((20 + 22)) ahead')
    await app.sees(/^typed 42 ahead$/m)
  })
})
