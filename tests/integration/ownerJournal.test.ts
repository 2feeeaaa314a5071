import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AuditEntry } from '../../src/core/data/audit'
import { connectMcp } from '../harness/mcpClients'
import { Tab } from '../harness/tab'
import { makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

const CRASH_ON_SIGNAL = fileURLToPath(new URL('../harness/crashOnSignal.cjs', import.meta.url))
const CANARY = 'canary-4d1f-secret-of-the-environment'

let world: World
let tandem: Tandem
const work = new WorkspaceClient(() => tandem)

beforeEach(async () => {
  world = makeWorld({ NODE_OPTIONS: `--require=${CRASH_ON_SIGNAL}`, MY_SECRET_CANARY: CANARY })
})
afterEach(async () => {
  await tandem.end('SIGKILL')
  await world.remove()
})

const logFile = () => join(world.dataDir, 'logs', 'tandem.log')
const log = (...flags: string[]) => runTandem(world, ['log', '--data-dir', world.dataDir, ...flags])

async function entries(): Promise<AuditEntry[]> {
  return (JSON.parse((await log('--json', '--limit', '1000')).stdout) as { entries: AuditEntry[] }).entries
}

/** What a window shows about the host. */
async function windowNotices(): Promise<string[]> {
  const { url, openUrl } = tandem.ready
  const signedIn = await fetch(openUrl, { redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ui`, { headers: { cookie, origin: url } })
  const answer = new Promise<string>((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())))
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ id: 1, call: 'hostInfo', args: [] }))
  const { result } = JSON.parse(await answer) as { result: { value: { notices: { text: string }[] } } }
  socket.close()
  return result.value.notices.map(({ text }) => text)
}

/** Who did what to what, one line each. */
const told = (all: AuditEntry[]) =>
  all.map(({ actor, action, terminal, outcome }) =>
    [`${actor.token}/${actor.client.split(' ')[0]}`, action, terminal?.name ?? '-', outcome].join(' ')
  )

test('a crash exits non-zero, is told once at the next start and in the window, and hides home and secrets', async () => {
  tandem = await Tandem.start(world)
  const { id } = await work.create()
  process.kill(tandem.ready.pid, 'SIGUSR2')
  expect(await tandem.exit()).toBe(1)
  const folder = join(world.dataDir, 'crashes')
  const [name = '', ...others] = readdirSync(folder)
  expect(others).toEqual([])
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  const record = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>
  expect(record).toMatchObject({ version: tandem.ready.version, code: 'ETEST' })
  expect(record.stack).toContain('~/place failed for ')
  expect(record.stack).not.toContain(world.home)
  const written = [record.stack, tandem.stderr, readFileSync(logFile(), 'utf8')].join('\n')
  expect(tandem.stderr).toContain('place failed for [hidden]')
  expect(written).not.toContain(CANARY)
  expect(readdirSync(world.dataDir)).not.toContain('endpoint.json')
  tandem = await Tandem.start(world)
  expect(tandem.stderr.match(/ended unexpectedly at .* \(ETEST\)/g)).toHaveLength(1)
  expect(await windowNotices()).toEqual([expect.stringContaining('ended unexpectedly')])
  expect(await work.find(id)).toMatchObject({ state: 'running' })
  await tandem.end('SIGTERM')
  tandem = await Tandem.start(world)
  expect(tandem.stderr).not.toContain('ended unexpectedly')
})

test('the log file has what stderr has and is private; without it the host goes on and says so once', async () => {
  tandem = await Tandem.start(world)
  await until(() => readFileSync(logFile(), 'utf8').includes('Reconciled'), { what: 'the summary line in the log' })
  expect(statSync(logFile()).mode & 0o777).toBe(0o600)
  expect(statSync(join(world.dataDir, 'logs')).mode & 0o777).toBe(0o700)
  expect(readFileSync(logFile(), 'utf8')).not.toContain(tandem.ready.token)
  await tandem.end('SIGTERM')
  rmSync(join(world.dataDir, 'logs'), { recursive: true })
  mkdirSync(logFile(), { recursive: true })
  tandem = await Tandem.start(world, ['--log-level', 'debug'])
  const { id } = await work.create()
  expect(await work.find(id)).toMatchObject({ state: 'running' })
  expect(tandem.stderr.match(/log file cannot be written/g)).toHaveLength(1)
})

test('who did what is kept for every door, and never what was typed', async () => {
  tandem = await Tandem.start(world)
  const { id, tmuxSession } = await work.create('first')
  await work.rename(id, 'second')
  await work.kill('00000000-0000-4000-8000-000000000000')
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type('echo typed-canary-$((1+1))\r')
  await tab.sees('typed-canary-2')
  tab.close()
  await until(async () => told(await entries()).some((line) => line.includes('detach')))
  const agent = await connectMcp('2026', { url: tandem.ready.mcpUrl, token: tandem.ready.token, clientName: 'robot' })
  const workspace = { project: world.project, session: 'work' }
  await agent.call('terminal_reorder_sessions', { ...workspace, orderedIds: ['nobody'] })
  await agent.call('terminal_kill_session', { ...workspace, id })
  await agent.close()
  expect(told(await entries())).toEqual([
    'owner/tandem-serve start - OK',
    'owner/http create first OK',
    'owner/http rename first OK',
    'owner/http kill - SESSION_NOT_FOUND',
    'owner/http attach second OK',
    'owner/http detach second OK',
    'owner/robot reorder - INVALID_ARGUMENTS',
    'owner/robot kill second OK'
  ])
  await tandem.end('SIGTERM')
  const left = await entries()
  expect(told(left).at(-1)).toBe('owner/tandem-serve stop - OK')
  const file = join(world.dataDir, 'audit.jsonl')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toMatch(/typed-canary/)
  expect(readFileSync(file, 'utf8')).not.toContain(tandem.ready.token)
  const printed = await log('--limit', '2')
  expect(printed.stdout.split('\n')).toHaveLength(4)
  expect(printed.stdout).toMatch(/TIME +WHO +DID +TERMINAL +WORKSPACE +OUTCOME\n/)
})

test('a token limited to a project sees what was done there and nothing else, and needs the scope to read', async () => {
  tandem = await Tandem.start(world)
  await work.create('here')
  const elsewhere = join(world.root, 'elsewhere')
  mkdirSync(elsewhere)
  await tandem.api('POST', '/api/terminal/sessions', { project: elsewhere, session: 'work', name: 'there' })
  const token = async (name: string, ...flags: string[]) => {
    const added = await runTandem(world, ['token', '--data-dir', world.dataDir, 'add', name, ...flags])
    return { authorization: `Bearer ${added.stdout.trim()}` }
  }
  const limited = await token('limited', '--project', elsewhere, '--scopes', 'read')
  const { body } = await tandem.api('GET', '/api/audit?limit=50', undefined, limited)
  expect(told(body.entries as unknown as AuditEntry[])).toEqual(['owner/http create there OK'])
  const typist = await token('typist', '--scopes', 'type')
  expect((await tandem.api('GET', '/api/audit', undefined, typist)).status).toBe(401)
  expect((await tandem.api('GET', '/api/audit?limit=x')).status).toBe(400)
})
