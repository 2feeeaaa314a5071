import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeBackend } from '../../src/core/backends/fakeBackend'
import { SettingsStore } from '../../src/core/data/settingsStore'
import { Tokens } from '../../src/core/data/tokens'
import { type Logger, silentLog } from '../../src/core/log'
import { Terminals } from '../../src/core/terminal/terminals'
import { Workspaces } from '../../src/core/workspace/workspaces'
import type { McpExtension } from '../../src/server/mcp'
import { type RunningServer, startServer } from '../../src/server/server'
import { SETTING_NAMES, SETTINGS, type Settings } from '../../src/shared/settings'

/** The doors on real sockets, with everything behind them real but the programs. */
export interface DoorsHost {
  readonly server: RunningServer
  readonly backend: FakeBackend
  readonly tokens: Tokens
  readonly workspaces: Workspaces
  readonly settingsStore: SettingsStore
  readonly root: string
  readonly project: string
  readonly owner: string
  /** What went through the log, one line each. */
  readonly logged: string[]
  /** Closes the doors and opens them again on the same port. */
  reopen(): Promise<void>
  close(): Promise<void>
}

export const PAGE = '<!doctype html><title>the page</title>'

export async function startDoorsHost({ mcpExtension }: { mcpExtension?: McpExtension } = {}): Promise<DoorsHost> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-doors-')))
  const [project, dataDir, rendererDir] = ['project', 'data', 'renderer'].map((name) => join(root, name)) as [
    string,
    string,
    string
  ]
  for (const dir of [project, dataDir, join(rendererDir, 'assets')]) mkdirSync(dir, { recursive: true, mode: 0o700 })
  writeFileSync(join(rendererDir, 'index.html'), PAGE)
  writeFileSync(join(rendererDir, 'assets', 'index-abc123.js'), 'export {}')
  writeFileSync(join(root, 'secret.txt'), 'secret')
  const logged: string[] = []
  const log = collectingLog(logged)
  const settings = () => defaults()
  const backend = new FakeBackend()
  const terminals = new Terminals({ backend, settings, log })
  const environment = { HOME: root, SHELL: '/bin/sh', PATH: process.env.PATH }
  const workspaces = new Workspaces({ terminals, dataDir, owner: 'test-owner', settings, environment, log })
  await workspaces.start()
  const tokens = new Tokens({ dataDir })
  const settingsStore = new SettingsStore({ dataDir, overrides: { environment: {}, flags: {} }, log })
  const open = (port: number) =>
    startServer({
      workspaces,
      settingsStore,
      tokens,
      log,
      version: '1.2.3',
      notices: () => [{ text: 'a notice' }],
      mcpExtension,
      handOver: () => ({ refusal: 'There is nobody to hand over to' }),
      homeProject: project,
      rendererDir,
      address: '127.0.0.1',
      port: { exact: port }
    })
  let server = await open(0)
  return {
    get server() {
      return server
    },
    backend,
    tokens,
    workspaces,
    settingsStore,
    root,
    project,
    owner: tokens.ownerToken,
    logged,
    async reopen() {
      const { port } = server
      await server.close()
      server = await open(port)
    },
    async close() {
      await server.close()
      await workspaces.stop()
      await terminals.stop()
      tokens.close()
      rmSync(root, { recursive: true, force: true })
    }
  }
}

function defaults(): Settings {
  // Every setting has a fallback of its own type.
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].fallback])) as Settings
}

function collectingLog(lines: string[]): Logger {
  const collect = (fields: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(fields)} ${'err' in fields ? String(fields.err) : ''}`)
  }
  return { ...silentLog, debug: collect, info: collect, warn: collect, error: collect }
}
