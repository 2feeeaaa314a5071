import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectMcp, type McpClient } from '../harness/mcpClients'
import type { Tandem } from '../harness/tandem'
import { expect } from './fixtures'
import type { TandemPage } from './tandemPage'

const PROMPT = String.raw`PS1='\[\e[32m\]\W\[\e[0m\] \[\e[34m\]main\[\e[0m\] $ '`
const SCRIPTS: Record<string, string> = {
  'npm-test': String.raw`printf '\n \033[1;38;5;16;41m FAIL \033[0m src/login.test.ts\n   \033[31m✕\033[0m rejects an expired token (34 ms)\n   \033[32m✓\033[0m accepts a fresh one (3 ms)\n   \033[32m✓\033[0m refuses an empty header (1 ms)\n\n \033[1mTests\033[0m  \033[31m1 failed\033[0m, \033[32m41 passed\033[0m, 42 total\n \033[1mTime\033[0m   1.24 s\n'; exit 1`,
  git: String.raw`printf ' src/login.ts      | 12 \033[32m++++++++\033[31m----\033[0m\n src/login.test.ts |  9 \033[32m+++++++++\033[0m\n 2 files changed, 17 insertions(+), 4 deletions(-)\n'`,
  serve: String.raw`printf '\033[36m➜\033[0m  api    \033[4mhttp://localhost:4000/\033[0m\n\033[36m➜\033[0m  admin  \033[4mhttp://localhost:4001/\033[0m\n\033[90m14:02:11\033[0m GET  /health \033[32m200\033[0m 2 ms\n\033[90m14:02:14\033[0m POST /login  \033[33m401\033[0m 9 ms\n'; exec sleep 1000`
}

/** A project as people have them, with two sessions, and agents at work in it. */
export class Scene {
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
    const { url, token } = this.tandem.ready
    // Named as our own programs are, it counts as the person.
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': 'tandem-shots'
    }
    const body = JSON.stringify({ project: this.project, session, name })
    const answer = await fetch(new URL('/api/terminal/sessions', url), { method: 'POST', headers, body })
    return String(((await answer.json()) as { id: string }).id)
  }

  async agent(clientName: string): Promise<McpClient> {
    const { mcpUrl: url, token } = this.tandem.ready
    const agent = await connectMcp('2026', { url, token, clientName })
    this.agents.push(agent)
    const before = await this.app.page.locator('.connectedAgents .agentRow').count()
    await agent.call('terminal__list_sessions')
    // One after the other, so that letters and colours are always the same.
    await expect(this.app.page.locator('.connectedAgents .agentRow')).toHaveCount(before + 1)
    return agent
  }

  async close(): Promise<void> {
    for (const agent of this.agents) await agent.close()
  }
}
