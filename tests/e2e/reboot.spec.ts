import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { killTmuxServer, Tandem } from '../harness/tandem'
import { expect, test } from './fixtures'
import { TandemPage } from './tandemPage'

test('after tmux and the host are gone the page offers every terminal again, with its name, place and directory', async ({
  world,
  page
}) => {
  const project = join(world.home, 'work')
  mkdirSync(project)
  const before = await Tandem.start(world)
  for (const name of ['build', 'server']) {
    await before.api('POST', '/api/terminal/sessions', { project, session: 'default', name })
  }
  await before.end('SIGKILL')
  await killTmuxServer(world)

  const tandem = await Tandem.start(world)
  try {
    await page.goto(tandem.ready.openUrl)
    const app = new TandemPage(page, tandem)
    const offer = page.getByRole('region', { name: 'Ended terminals' })
    await expect(offer).toContainText('2 terminals of this workspace ended with the last tmux server: build, server')
    await expect(app.tabs).toHaveCount(0)
    const [line, rest] = await Promise.all([offer.boundingBox(), page.locator('.panes').boundingBox()])
    expect(line?.height).toBeLessThan(100)
    expect(rest?.height).toBeGreaterThan(600)
    await offer.getByRole('button', { name: 'Start again' }).click()
    await expect.poll(() => app.tabNames()).toEqual(['build', 'server'])
    await expect(offer).toBeHidden()
    await app.tab('server').click()
    await app.hasPrompt()
    await page.locator('.terminalPane:not([hidden]) .xterm').click()
    await app.run('pwd')
    await app.sees(new RegExp(`^${project}$`, 'm'))
  } finally {
    await tandem.end('SIGTERM')
  }
})

test('what is forgotten is not offered again', async ({ world, page }) => {
  const before = await Tandem.start(world)
  for (const name of ['old', 'older', 'first', 'second', 'third']) {
    await before.api('POST', '/api/terminal/sessions', { project: world.home, session: 'default', name })
  }
  await before.end('SIGKILL')
  await killTmuxServer(world)
  const tandem = await Tandem.start(world)
  try {
    await page.goto(tandem.ready.openUrl)
    const offer = page.getByRole('region', { name: 'Ended terminals' })
    await expect(offer).toContainText(
      '5 terminals of this workspace ended with the last tmux server: old, older, first and 2 more'
    )
    await offer.getByRole('button', { name: 'Forget' }).click()
    await expect(offer).toBeHidden()
    await page.reload()
    await expect(page.getByRole('button', { name: 'New terminal' }).last()).toBeVisible()
    await expect(offer).toBeHidden()
  } finally {
    await tandem.end('SIGTERM')
  }
})

test('a terminal that is lost while the page watches starts again in its place', async ({ app, world }) => {
  await app.newTerminal()
  await app.createByHttp('second')
  await expect(app.tabs).toHaveCount(2)
  await killTmuxServer(world)
  await expect(app.page.getByText('This terminal is gone').first()).toBeVisible({ timeout: 30_000 })
  await app.page.getByRole('tabpanel').getByRole('button', { name: 'Restart' }).click()
  await app.hasPrompt()
  await expect.poll(() => app.tabNames()).toEqual(['Terminal 1', 'second'])
})
