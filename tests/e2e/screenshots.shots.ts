import { fileURLToPath } from 'node:url'
import { connectMcp } from '../harness/mcpClients'
import { Tandem } from '../harness/tandem'
import { expect, test } from './fixtures'
import type { TandemPage } from './tandemPage'

const FOLDER = fileURLToPath(new URL('../../screenshots', import.meta.url))

const COLOURS = String.raw`clear; for c in 1 2 3 4 5 6 7; do printf "\033[3\${c}mcolour \$c \033[9\${c}mbright\033[0m  "; done; echo; ls -la --color=always /usr | head -14; echo; git --version`

async function busy(app: TandemPage): Promise<void> {
  await app.newTerminal()
  await app.createByHttp('server')
  await app.createByHttp('a build with quite a long name that must be cut')
  await app.run(COLOURS.replaceAll('\\$', '$'))
  await app.sees('git version')
}

async function secondWorkspace(app: TandemPage, project: string): Promise<void> {
  await app.page.getByRole('button', { name: 'Open a folder' }).click()
  await app.page.getByLabel('Project folder').fill(project)
  await app.page.getByLabel('Session', { exact: true }).fill('fix-login')
  await app.page.getByRole('button', { name: 'Open terminal' }).click()
  const row = app.page.getByRole('navigation').getByRole('button', { name: /fix-login/ })
  await expect(row).toHaveAttribute('aria-current', 'true')
  await app.hasPrompt()
  await app.page
    .getByRole('navigation')
    .getByRole('button', { name: /default/ })
    .click()
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, hostMayDie: true, viewport: { width: 1200, height: 760 } })
    const shot = (app: TandemPage, name: string) =>
      app.page.screenshot({ path: `${FOLDER}/${name}-${colorScheme}.png`, animations: 'disabled' })

    test('empty', async ({ app }) => {
      await expect(app.page.getByRole('heading', { name: 'Ready when you are' })).toBeVisible()
      await shot(app, 'empty')
    })

    test('busy, rename, error, broken', async ({ app, tandem }) => {
      await busy(app)
      await secondWorkspace(app, tandem.world.project)
      await app.tab('Terminal 1').click()
      await app.sees('git version')
      await shot(app, 'busy')
      await app.tab('server').dblclick()
      await shot(app, 'rename')
      await app.page.keyboard.press('Escape')
      await app.page.getByRole('button', { name: 'Open a folder' }).click()
      await app.page.getByLabel('Project folder').fill('/no/such/folder')
      await app.page.getByRole('button', { name: 'Open terminal' }).click()
      await expect(app.page.getByText('INVALID_ARGUMENTS')).toBeVisible()
      await shot(app, 'error')
      await app.page.getByRole('button', { name: 'Dismiss' }).click()
      await app.page.getByRole('button', { name: 'Open a folder' }).click()
      await app.tab('Terminal 1').click()
      await tandem.end('SIGKILL')
      await expect(app.page.getByText('Connection lost')).toBeVisible()
      await shot(app, 'broken')
      const again = await Tandem.start(tandem.world, ['--port', new URL(tandem.ready.url).port])
      await expect(app.page.getByRole('alertdialog')).toBeVisible()
      await shot(app, 'signed-out')
      await again.end('SIGTERM')
    })

    test('split, palette, switcher, menu, question, find, closed', async ({ app }) => {
      await busy(app)
      await app.page.keyboard.press('Control+Shift+O')
      await app.activeSees('ready>')
      await app.run('ls --color=always /usr')
      await app.activeSees('local')
      await shot(app, 'split')
      await app.page.keyboard.press('Control+Shift+F')
      await app.page.getByRole('textbox', { name: 'Find' }).fill('lib')
      await expect(app.page.getByRole('search').getByRole('status')).toHaveText(/of/)
      await shot(app, 'find')
      await app.page.keyboard.press('Escape')
      await app.page.keyboard.press('F1')
      await expect(app.page.getByRole('dialog')).toBeVisible()
      await shot(app, 'palette')
      await app.page.keyboard.press('Escape')
      await app.page.keyboard.press('Control+Shift+G')
      await expect(app.page.getByRole('option').first()).toBeVisible()
      await shot(app, 'switcher')
      await app.page.keyboard.press('Escape')
      await app.tab('server').click({ button: 'right' })
      await expect(app.page.getByRole('menu')).toBeVisible()
      await shot(app, 'menu')
      await app.page.keyboard.press('Escape')
      await app.page.locator('.terminalPane:not([hidden]) .xterm').first().click()
      await app.run('sleep 1000')
      await expect(async () => {
        await app.page.keyboard.press('Control+Shift+W')
        await expect(app.page.getByRole('dialog')).toBeVisible({ timeout: 1000 })
      }).toPass()
      await shot(app, 'question')
      await app.page.getByRole('button', { name: 'Close terminal', exact: true }).last().click()
      await expect(app.page.getByRole('button', { name: 'Undo' })).toBeVisible()
      await shot(app, 'closed')
    })

    test('agent typing, control taken, needs you', async ({ app, tandem }) => {
      const { mcpUrl: url, token } = tandem.ready
      const agent = await connectMcp('2026', { url, token, clientName: 'claude-code' })
      await app.newTerminal()
      const { sessions } = (await agent.call('terminal__list_sessions')).structuredContent as {
        sessions: { session_id: string }[]
      }
      const type = (text: string) =>
        agent.call('terminal__send', { session_id: sessions[0]?.session_id ?? '', text, submit: true })
      await type('ls --color=always /usr')
      await type('git log')
      await expect(app.page.locator('.historyLine .end.failed')).toBeVisible()
      await type('echo done')
      await expect(app.page.locator('.controlLine')).toContainText('typing')
      await shot(app, 'agent-typing')
      await app.page.keyboard.press('Control+Shift+Space')
      await expect(app.page.getByRole('button', { name: 'Give back' })).toBeVisible()
      await shot(app, 'control-taken')
      await app.run('read -s -p "Password: " answer')
      await expect(app.page.locator('.controlLine')).toContainText('Needs you')
      await shot(app, 'needs-you')
      await agent.close()
    })

    test('exited', async ({ app }) => {
      await busy(app)
      await app.run('exit 3')
      await expect(app.page.getByText('exited 3')).toBeVisible()
      await shot(app, 'exited')
    })

    test('narrow', async ({ app }) => {
      await app.page.setViewportSize({ width: 400, height: 700 })
      await shot(app, 'narrow-empty')
      await busy(app)
      await shot(app, 'narrow')
      await app.page.getByRole('button', { name: 'Show workspaces' }).click()
      await shot(app, 'narrow-drawer')
    })
  })
}
