import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { readEndpoint } from '../../src/core/data/discovery'
import { connectMcp, ERAS, type McpAnswer } from '../harness/mcpClients'
import { bridgeIn, connectStdio } from '../harness/stdioClients'
import { makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import { leaksOf, tracesOf } from '../harness/threats/traces'
import { until } from '../harness/waiting'

// Tokens with agents in the picture: bridges, setup, a host that crashes and one that a bridge starts.

const CRASH_ON_SIGNAL = fileURLToPath(new URL('../harness/crashOnSignal.cjs', import.meta.url))

let world: World
let tandem: Tandem
const closings: (() => unknown)[] = []

beforeEach(() => {
  world = makeWorld({ NODE_OPTIONS: `--require=${CRASH_ON_SIGNAL}` })
})
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
  await tandem.end('SIGKILL')
  await world.remove()
})

const run = (...words: string[]) => runTandem(world, words)
const textOf = (answer: McpAnswer) => answer.content[0]?.text ?? ''
async function addToken(name: string): Promise<string> {
  const added = await run('token', '--data-dir', world.dataDir, 'add', name, '--json')
  return (JSON.parse(added.stdout) as { token: string }).token
}

test('no token is in a command line, log, file, crash dump, trail, tmux or child, whatever agents and setup did', async () => {
  tandem = await Tandem.start(world, ['--log-level', 'debug'])
  const limited = await addToken('robot')
  const secrets = [tandem.ready.token, limited]
  const bridge = bridgeIn(world)
  const client = await connectStdio('2026', world, { process: { ...bridge, env: { TANDEM_TOKEN: limited } } })
  closings.push(() => client.close())
  const opened = await client.call('open_new_terminal', { project: world.project })
  const terminal_id = opened.structuredContent?.terminal_id
  const shown = await client.call('execute_shell', {
    terminal_id,
    command: 'env; tr "\\0" "\\n" < /proc/$PPID/environ'
  })
  mkdirSync(join(world.home, '.cursor'))
  const setup = await run('setup', 'cursor', '--yes', '--data-dir', world.dataDir)
  expect(setup.stdout).toContain('is connected')
  process.kill(tandem.ready.pid, 'SIGUSR2')
  expect(await tandem.exit()).toBe(1)
  expect(readdirSync(join(world.dataDir, 'crashes'))).toHaveLength(1)
  // The next host is one that the bridge starts; it is not given the bridge's token.
  const listed = await client.call('list_terminals')
  const log = await run('log', '--data-dir', world.dataDir, '--json')
  const host = readEndpoint(world.dataDir)
  if (!host) throw new Error('the bridge started no host')
  const environment = readFileSync(`/proc/${host.pid}/environ`, 'utf8')
  const traces = [
    ...tracesOf({ world, stderr: tandem.stderr, ready: host }).filter(
      ({ where }) => where !== `environment of ${client.pid}`
    ),
    { where: 'environment of the host', text: environment },
    { where: 'answers', text: JSON.stringify([opened, shown, listed, setup, log]) }
  ]
  expect(JSON.stringify(shown)).toContain('HOME=')
  expect(leaksOf(traces, [...secrets, host.token])).toEqual([])
})

test('a token that is revoked on the command line loses every stream and call that is open', async () => {
  tandem = await Tandem.start(world)
  const token = await addToken('fired')
  const { url, mcpUrl, wsUrl, token: owner } = tandem.ready
  const created = await tandem.api('POST', '/api/terminal/sessions', { project: world.project, session: 'work' })
  const socket = new WebSocket(`${wsUrl}?arg=${String(created.body.tmuxSession)}`, ['tty'], {
    headers: { authorization: `Bearer ${token}` }
  })
  const socketEnded = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('open', resolve))
  const heard: string[] = []
  const ends: Promise<unknown>[] = [socketEnded]
  for (const era of ERAS) {
    const client = await connectMcp(era, { url: mcpUrl, token })
    closings.push(() => client.close().catch(() => undefined))
    const following = await client.follow([`terminal://${String(created.body.id)}/screen`], (uri) => heard.push(uri))
    expect(following.uris).toHaveLength(1)
    // The 2025 client does not notice that a stream was cut; what it hears no more is seen below.
    if (era === '2025') continue
    const wait = { session_id: String(created.body.id), wait_for: 'never', timeout_ms: 45_000 }
    ends.push(
      following.ended,
      client.wait('terminal__read', wait, {}).then(textOf, () => 'broken off')
    )
  }
  const bridged = await connectStdio('2025', world, { process: { ...bridgeIn(world), env: { TANDEM_TOKEN: token } } })
  closings.push(() => bridged.close())
  expect((await bridged.call('list_terminals')).isError).toBeFalsy()
  const pending = bridged.call('terminal__read', {
    session_id: String(created.body.id),
    wait_for: 'never',
    timeout_ms: 45_000
  })
  await until(() => socket.readyState === WebSocket.OPEN, { what: 'the open socket' })
  expect((await run('token', '--data-dir', world.dataDir, 'revoke', 'fired')).code).toBe(0)
  await Promise.all(ends)
  expect(textOf(await pending)).toMatch(/^UNAUTHORIZED: /)
  const again = await fetch(`${url}/api/workspaces`, { headers: { authorization: `Bearer ${token}` } })
  expect(again.status).toBe(401)
  heard.length = 0
  await tandem.api(
    'PATCH',
    `/api/terminal/sessions/${String(created.body.id)}?project=${encodeURIComponent(world.project)}&session=work`,
    { name: 'later' }
  )
  const other = await connectMcp('2026', { url: mcpUrl, token: owner })
  await other.call('terminal__send', { session_id: String(created.body.id), text: 'echo later\r' })
  await other.close()
  expect(heard).toEqual([])
}, 30_000)
