import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { installedTandem } from '../../src/cli/bundle/installedTandem'
import { readEndpoint } from '../../src/core/data/discovery'
import { tools } from '../../src/core/tools/index'
import { environmentName, SETTING_NAMES, SETTINGS, type SettingName } from '../../src/shared/settings'
import { WINDOW_SETTINGS } from '../../src/shared/windowSettings'
import { ERAS, type McpAnswer } from '../harness/mcpClients'
import { connectStdio, type StdioClient } from '../harness/stdioClients'
import { ENTRY, makeWorld, Tandem, type World } from '../harness/tandem'
import { testTool } from '../harness/testTools'

// The bundle as `npm run bundle:mcpb` makes it, unpacked and started as a desktop client does it.

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
/** In the order of the plan for the terminal server. */
const PLANNED = ['default_rows', 'default_cols', 'default_shell', 'term', 'scrollback_limit', 'prompt_pattern']
/** A computer where Tandem is installed system-wide has no bundle without it. */
const isInstalledHere = installedTandem({ PATH: '/nowhere', HOME: '/nowhere' }) !== undefined

interface Manifest {
  server: { entry_point: string; mcp_config: { command: string; args: string[]; env: Record<string, string> } }
  tools: { name: string; description: string }[]
  user_config: Record<string, { type: string; title: string; description: string; default?: unknown }>
}

let folder: string
let bundle: string
let manifest: Manifest
let world: World
let clients: StdioClient[]
let tandem: Tandem | undefined

const mcpb = (...words: string[]) =>
  execFileSync(process.execPath, [testTool('@anthropic-ai/mcpb/dist/cli/cli.js'), ...words], { encoding: 'utf8' })

beforeAll(() => {
  folder = mkdtempSync('/tmp/tandem-test-mcpb-')
  const packed = join(folder, 'tandem.mcpb')
  execFileSync(process.execPath, [join(REPOSITORY, 'scripts/bundle.mjs'), packed], { stdio: 'pipe' })
  bundle = join(folder, 'unpacked')
  mcpb('unpack', packed, bundle)
  manifest = JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8')) as Manifest
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeEach(() => {
  world = makeWorld()
  clients = []
  tandem = undefined
})
afterEach(async () => {
  for (const client of clients) await client.close()
  await tandem?.end('SIGKILL')
  await world.remove()
})

/** Starts the server as the manifest says, with what a person entered in the form. */
async function connect(
  era: (typeof ERAS)[number],
  { entered = {}, env = {} }: { entered?: Record<string, unknown>; env?: NodeJS.ProcessEnv } = {}
): Promise<StdioClient> {
  const { args, env: variables } = manifest.server.mcp_config
  const values = { ...formDefaults(), ...entered }
  const expand = (text: string) =>
    text
      .replace(/\$\{__dirname\}/, bundle)
      .replace(/\$\{user_config\.(\w+)\}/, (placeholder, name: string) => String(values[name] ?? placeholder))
  const given = Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, expand(text)]))
  const server = {
    command: process.execPath,
    args: args.map(expand),
    env: { TANDEM_DATA_DIR: world.dataDir, ...given, ...env }
  }
  const client = await connectStdio(era, world, { process: server })
  clients.push(client)
  return client
}

function formDefaults(): Record<string, unknown> {
  return Object.fromEntries(Object.entries(manifest.user_config).map(([name, field]) => [name, field.default]))
}

/** A PATH with a `tandem` on it, or with nothing of ours. */
function pathWith(program: 'tandem' | 'nothing'): NodeJS.ProcessEnv {
  const bin = join(world.root, 'bin')
  mkdirSync(bin)
  const script = `#!/bin/sh\nexec '${process.execPath}' '${ENTRY}' "$@"\n`
  if (program === 'tandem') writeFileSync(join(bin, 'tandem'), script, { mode: 0o755 })
  return { PATH: program === 'tandem' ? `${bin}:${process.env.PATH}` : bin }
}

const textOf = (answer: McpAnswer) => answer.content[0]?.text ?? ''
const names = (listed: readonly { name: string }[]) => listed.map(({ name }) => name)

describe('the manifest', () => {
  test('is valid to the format’s own tool, and the bundle holds one program and nothing it does not need', () => {
    expect(mcpb('validate', join(bundle, 'manifest.json'))).toContain('validation passes')
    expect(readdirSync(bundle, { recursive: true }).sort()).toEqual(
      ['LICENSE', 'icon.png', 'manifest.json', 'server', 'server/bridge.js'].sort()
    )
  })

  test('asks for every declared setting of the host, with its default and description, and for address and token', () => {
    const declared = SETTING_NAMES.filter((name) => !Object.hasOwn(WINDOW_SETTINGS, name))
    const asked = Object.keys(manifest.user_config)
    expect(asked).toEqual([...declared, 'url', 'token'])
    expect(asked.slice(0, 7)).toEqual([...PLANNED, 'max_sessions'])
    for (const name of declared) {
      const { description, default: fallback } = manifest.user_config[name] ?? {}
      expect([name, String(fallback)]).toEqual([name, String(SETTINGS[name].fallback)])
      expect(description).toContain(SETTINGS[name].description)
    }
  })

  test('hands each of them to the server in the variable of that setting, and names every tool', () => {
    const { env } = manifest.server.mcp_config
    const carriers = Object.keys(manifest.user_config).map((name) => [
      environmentName(name as SettingName),
      `\${user_config.${name}}`
    ])
    expect(env).toEqual(Object.fromEntries(carriers))
    expect(names(manifest.tools)).toEqual(names(tools))
  })
})

for (const era of ERAS) {
  test(`a client of ${era} is greeted, sees the tools of the running host, and works in its terminals`, async () => {
    tandem = await Tandem.start(world)
    const client = await connect(era)
    expect(client.instructions).toContain('live terminals')
    expect(names(await client.listTools())).toEqual(names(tools))
    const place = { project: world.project, session: 'work' }
    expect((await client.call('terminal_create_session', { ...place, name: 'by bundle' })).isError).toBeFalsy()
    const { body } = await tandem.api('GET', '/api/audit')
    expect(JSON.stringify(body)).toContain(`stdio-${era}`)
    expect([readEndpoint(world.dataDir)?.pid, client.errors]).toEqual([tandem.ready.pid, []])
  })
}

test('without a host it starts the installed one, with what was entered, and leaves the rest to the person’s own file', async () => {
  writeFileSync(join(world.dataDir, 'config.json'), '{"default_rows": 33, "default_cols": 90}')
  const client = await connect('2025', { entered: { default_cols: 101 }, env: pathWith('tandem') })
  const { structuredContent } = await client.call('terminal__create_session', { cwd: world.project })
  expect(structuredContent).toMatchObject({ dimensions: { rows: 33, cols: 101 } })
  expect(readEndpoint(world.dataDir)).toBeDefined()
})

test.skipIf(isInstalledHere)('without any Tandem it shows the tools, and calls say what to install', async () => {
  const client = await connect('2025', { env: pathWith('nothing') })
  expect(names(await client.listTools())).toEqual(names(tools))
  const answer = await client.call('terminal__list_sessions')
  expect(textOf(answer)).toMatch(/^HOST_UNAVAILABLE: .*not installed.*\n.*install the Tandem app/)
})

test('an address that was entered is used with the token that was entered, and never with that of this computer', async () => {
  tandem = await Tandem.start(world)
  const url = tandem.ready.mcpUrl
  const env = { TANDEM_DATA_DIR: join(world.root, 'elsewhere') }
  const client = await connect('2026', { entered: { url, token: tandem.ready.token }, env })
  expect((await client.call('terminal__list_sessions')).structuredContent).toMatchObject({ count: 0 })
  const stranger = await connect('2026', { entered: { url } })
  expect(textOf(await stranger.call('terminal__list_sessions'))).toMatch(/^UNAUTHORIZED: .* needs a token/)
  const mistaken = await connect('2026', { entered: { url: 'ftp://127.0.0.1', token: 'x' } })
  expect(textOf(await mistaken.call('terminal__list_sessions'))).toMatch(/^INVALID_ARGUMENTS: .*ftp:/)
})
