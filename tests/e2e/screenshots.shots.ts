import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectMcp, type McpClient } from '../harness/mcpClients'
import { Tandem } from '../harness/tandem'
import { expect, test } from './fixtures'
import type { TandemPage } from './tandemPage'

const FOLDER = fileURLToPath(new URL('../../screenshots', import.meta.url))
const PROMPT = String.raw`PS1='\[\e[32m\]\W\[\e[0m\] \[\e[34m\]main\[\e[0m\] $ '`
const SCRIPTS: Record<string, string> = {
  'npm-test': String.raw`printf '\n \033[1;38;5;16;41m FAIL \033[0m src/login.test.ts\n   \033[31m✕\033[0m rejects an expired token (34 ms)\n   \033[32m✓\033[0m accepts a fresh one (3 ms)\n   \033[32m✓\033[0m refuses an empty header (1 ms)\n\n \033[1mTests\033[0m  \033[31m1 failed\033[0m, \033[32m41 passed\033[0m, 42 total\n \033[1mTime\033[0m   1.24 s\n'; exit 1`,
  serve: String.raw`printf '\033[36m➜\033[0m  api    \033[4mhttp://localhost:4000/\033[0m\n\033[36m➜\033[0m  admin  \033[4mhttp://localhost:4001/\033[0m\n\033[90m14:02:11\033[0m GET  /health \033[32m200\033[0m 2 ms\n\033[90m14:02:14\033[0m POST /login  \033[33m401\033[0m 9 ms\n'; exec sleep 1000`
}

/** A project as people have them, with two sessions, and agents at work in it. */
class Scene {
  readonly app: TandemPage
  readonly tandem: Tandem
  readonly agents: McpClient[] = []

  constructor(app: TandemPage, tandem: Tandem) {
    this.app = app
    this.tandem = tandem
  }

  get project(): string {
    return join(this.tandem.world.home, 'acme-api')
  }

  /** The page shows the project; its terminals have names, a prompt and commands of their own. */
  async open(...names: string[]): Promise<string[]> {
    const bin = join(this.tandem.world.home, 'bin')
    for (const folder of [this.project, join(this.project, 'src'), bin]) mkdirSync(folder, { recursive: true })
    for (const file of ['README.md', 'package.json']) writeFileSync(join(this.project, file), '')
    for (const [name, text] of Object.entries(SCRIPTS)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
      chmodSync(join(bin, name), 0o755)
    }
    writeFileSync(join(this.tandem.world.home, '.bashrc'), `${PROMPT}\nPATH=~/bin:$PATH\n`)
    const ids: string[] = []
    for (const name of names) ids.push(await this.create('fix-login', name))
    await this.create('docs', 'preview')
    const row = this.app.page.getByRole('navigation').getByRole('button', { name: /fix-login/ })
    if (!(await row.isVisible())) await this.app.page.getByRole('button', { name: 'Show workspaces' }).click()
    await row.click()
    await expect(this.app.page.locator('[role=tab]')).toHaveCount(names.length)
    return ids
  }

  async create(session: string, name: string): Promise<string> {
    const body = { project: this.project, session, name }
    return String((await this.tandem.api('POST', '/api/terminal/sessions', body)).body.id)
  }

  async agent(clientName: string): Promise<McpClient> {
    const { mcpUrl: url, token } = this.tandem.ready
    const agent = await connectMcp('2026', { url, token, clientName })
    this.agents.push(agent)
    return agent
  }

  async close(): Promise<void> {
    for (const agent of this.agents) await agent.close()
  }
}

const send = (agent: McpClient, session_id: string, text: string) =>
  agent.call('terminal__send', { session_id, text, submit: true })

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, hostMayDie: true, viewport: { width: 1280, height: 800 } })
    const shot = async (app: TandemPage, name: string) => {
      await app.page.mouse.move(640, 640)
      await app.page.screenshot({ path: `${FOLDER}/${name}-${colorScheme}.png`, animations: 'disabled' })
    }
    const scene = test.extend<{ scene: Scene }>({
      scene: async ({ app, tandem }, use) => {
        const made = new Scene(app, tandem)
        await use(made)
        await made.close()
      }
    })

    scene.describe('first', () => {
      scene.use({ isFirstVisit: true })
      scene('first visit', async ({ app, world }) => {
        for (const folder of ['.cursor', '.gemini', '.codex']) mkdirSync(join(world.home, folder), { recursive: true })
        await app.page.reload()
        await app.hasPrompt()
        await expect(app.page.getByRole('region', { name: 'Connect an agent' })).toContainText('found')
        await shot(app, 'first')
        await app.page.getByRole('region', { name: 'Connect an agent' }).getByRole('button').first().click()
        await expect(app.page.locator('.connect pre').first()).toBeVisible()
        await shot(app, 'connect')
      })
    })

    scene('empty and loading', async ({ app }) => {
      await expect(app.page.getByRole('heading', { name: 'Ready when you are' })).toBeVisible()
      await shot(app, 'empty')
      for (const name of ['shell', 'tests', 'server']) await app.createByHttp(name)
      await app.page.routeWebSocket(/\/ui$/, (page) => {
        const server = page.connectToServer()
        page.onMessage((message) => {
          if (!String(message).includes('listTerminals')) server.send(message)
        })
      })
      await app.page.reload()
      await expect(app.page.getByText('Restoring 3 terminals…')).toBeVisible()
      await shot(app, 'loading')
    })

    scene('agents at work', async ({ app, scene }) => {
      const [shell, tests, server] = await scene.open('shell', 'tests', 'server', 'build')
      const claude = await scene.agent('claude-code')
      const codex = await scene.agent('codex-mcp-client')
      await app.tab('tests').click()
      await send(codex, server ?? '', 'serve')
      await app.tab('tests').click()
      await app.sees('$')
      await send(claude, tests ?? '', 'ls')
      await app.sees('README.md')
      await send(claude, tests ?? '', 'npm-test')
      await app.sees('1 failed')
      await expect(app.page.locator('.historyLine .end.failed').first()).toBeVisible()
      await send(claude, tests ?? '', 'cat package.json')
      await expect(app.page.locator('.controlLine')).toContainText('typing')
      await shot(app, 'agent-typing')
      await app.page.keyboard.press('Control+Shift+Space')
      await expect(app.page.getByRole('button', { name: 'Give back' })).toBeVisible()
      await app.page
        .getByRole('button', { name: 'Dismiss' })
        .click({ timeout: 2000 })
        .catch(() => undefined)
      await shot(app, 'you-have-control')
      await app.page.keyboard.press('Control+Shift+Space')
      await send(claude, shell ?? '', 'read -s -p "Password: " answer')
      await expect(app.page.getByRole('button', { name: '1 needs you' })).toBeVisible()
      await shot(app, 'busy')
      await app.page.getByRole('button', { name: '1 needs you' }).click()
      await expect(app.page.locator('.controlLine')).toContainText('Needs you')
      await shot(app, 'needs-you')
      await app.tab('tests').click()
      await app.page.keyboard.press('Control+Shift+B')
      await shot(app, 'rail')
      await app.page.keyboard.press('Control+Shift+B')
      await app.page.getByRole('button', { name: 'Claude Code', exact: true }).click()
      await shot(app, 'activity')
      await app.page.keyboard.press('Control+Shift+Space')
      await app.page.keyboard.press('Alt+F2')
      await expect(app.page.getByRole('dialog', { name: 'Terminal as text' })).toBeVisible()
      await shot(app, 'text')
    })

    scene('over the page', async ({ app, scene }) => {
      await scene.open('shell', 'tests', 'server')
      await app.sees('$')
      await app.page.locator('.terminalPane:not([hidden]) .xterm').click()
      await app.run('npm-test')
      await app.sees('1 failed')
      await app.page.keyboard.press('F1')
      await expect(app.page.getByRole('dialog')).toBeVisible()
      await shot(app, 'palette')
      await app.page.keyboard.press('Escape')
      await app.page.keyboard.press('Control+Shift+G')
      await expect(app.page.getByRole('option').first()).toBeVisible()
      await shot(app, 'switcher')
      await app.page.keyboard.press('Escape')
      await app.page.keyboard.press('Control+Comma')
      await expect(app.page.getByRole('dialog', { name: 'Settings' }).getByText('Theme', { exact: true })).toBeVisible()
      await shot(app, 'settings')
      await app.page.keyboard.press('Escape')
      await app.tab('tests').click({ button: 'right' })
      await expect(app.page.getByRole('menu')).toBeVisible()
      await shot(app, 'menu')
      await app.page.keyboard.press('Escape')
      await app.tab('server').dblclick()
      await shot(app, 'rename')
      await app.page.keyboard.press('Escape')
      await app.page.locator('.terminalPane:not([hidden]) .xterm').click()
      await app.run('serve')
      await app.sees('POST')
      await app.page.keyboard.press('Alt+Shift+W')
      await expect(app.page.getByRole('dialog')).toBeVisible()
      await shot(app, 'question')
      await app.page.getByRole('button', { name: 'Close terminal', exact: true }).last().click()
      await expect(app.page.getByRole('button', { name: 'Undo' })).toBeVisible()
      await shot(app, 'closed')
    })

    scene('splits and find', async ({ app, scene }) => {
      await scene.open('shell', 'tests')
      await app.sees('$')
      await app.page.locator('.terminalPane:not([hidden]) .xterm').click()
      await app.run('npm-test')
      await app.sees('1 failed')
      await app.page.keyboard.press('Control+Shift+O')
      await app.activeSees('$')
      await app.run('serve')
      await app.activeSees('POST')
      await app.page.keyboard.press('Control+Shift+E')
      await expect(app.page.locator('.terminalPane:not([hidden])')).toHaveCount(3)
      await app.activeSees(/^acme-api main \$$/m)
      await app.run('ls -la')
      await app.activeSees('package.json')
      await shot(app, 'splits')
      await app.page.keyboard.press('Control+Shift+F')
      await app.page.getByRole('textbox', { name: 'Find' }).fill('ro')
      await expect(app.page.getByRole('search').getByRole('status')).toHaveText(/of/)
      await shot(app, 'find')
    })

    scene('ends and errors', async ({ app, scene, world }) => {
      await scene.open('shell', 'tests')
      await app.sees('$')
      await app.page.locator('.terminalPane:not([hidden]) .xterm').click()
      await app.run('npm-test')
      await app.sees('1 failed')
      await app.run('exit')
      await expect(app.page.getByText('exited 1')).toBeVisible()
      await shot(app, 'failed')
      await app.page.getByRole('button', { name: 'Restart' }).click()
      await expect(app.page.getByText('exited 1')).toBeHidden()
      await app.sees('$')
      await app.run('exit 0')
      await expect(app.page.getByText('exited 0')).toBeVisible()
      await shot(app, 'exited')
      await app.page.getByRole('button', { name: 'Open a folder' }).click()
      await app.page.getByLabel('Project folder').fill('/no/such/folder')
      await app.page.getByRole('button', { name: 'Open terminal' }).click()
      await expect(app.page.getByText('INVALID_ARGUMENTS')).toBeVisible()
      await shot(app, 'error')
      await app.page.getByRole('button', { name: 'Dismiss' }).click()
      await app.page.getByRole('button', { name: 'Open a folder' }).click()
      await app.tab('tests').click()
      await app.sees('$')
      world.tmux('kill-server')
      await expect(app.page.getByText('tmux was stopped')).toBeVisible({ timeout: 30_000 })
      await shot(app, 'tmux-gone')
    })

    scene('host gone', async ({ app, tandem, scene }) => {
      await scene.open('shell', 'tests')
      await app.sees('$')
      await app.page.locator('.terminalPane:not([hidden]) .xterm').click()
      await app.run('npm-test')
      await app.sees('1 failed')
      await tandem.end('SIGKILL')
      await expect(app.page.getByText('Connection lost')).toBeVisible()
      await shot(app, 'disconnected')
      const again = await Tandem.start(tandem.world, ['--port', new URL(tandem.ready.url).port])
      await expect(app.page.getByRole('alertdialog')).toBeVisible()
      await shot(app, 'signed-out')
      await app.page.goto(again.ready.openUrl)
      await expect(app.page.getByText('kept running while Tandem was closed')).toBeVisible()
      await shot(app, 'second-launch')
      await again.end('SIGTERM')
    })

    scene.describe('with more contrast', () => {
      scene.use({ contextOptions: { contrast: 'more' } })
      scene('high contrast', async ({ app, scene }) => {
        const [, tests] = await scene.open('shell', 'tests')
        const claude = await scene.agent('claude-code')
        await app.tab('tests').click()
        await app.sees('$')
        await send(claude, tests ?? '', 'npm-test')
        await app.sees('1 failed')
        await expect(app.page.locator('.controlLine')).toContainText('typing')
        await shot(app, 'contrast')
      })
    })

    scene('narrow', async ({ app, scene }) => {
      await app.page.setViewportSize({ width: 400, height: 700 })
      await shot(app, 'narrow-empty')
      await scene.open('shell', 'tests')
      await app.sees('$')
      await app.page.locator('.terminalPane:not([hidden]) .xterm').click()
      await app.run('npm-test')
      await app.sees('1 failed')
      await shot(app, 'narrow')
      await app.page.getByRole('button', { name: 'Show workspaces' }).click()
      await shot(app, 'narrow-drawer')
      await app.page.locator('.scrim').click({ position: { x: 380, y: 300 } })
      await app.page.getByRole('button', { name: 'Show activity' }).click()
      await shot(app, 'narrow-activity')
    })
  })
}
