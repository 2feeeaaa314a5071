import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { TerminalActivity } from '../../src/shared/activity'
import type { UiMessage } from '../../src/shared/ipc'
import type { WorkspaceSummary } from '../../src/shared/terminal'
import { Tab } from '../harness/tab'
import { ENTRY, makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'

// An agent in a terminal tells through its hooks how it stands: the real command, in a real shell in tmux, to the real host.

const SECRET_WORDS = 'question-that-is-written-nowhere'
let world: World
let tandem: Tandem
let window: WebSocket
let terminal: { id: string; tmuxSession: string }
let tab: Tab
let agents = 0
const told = new Map<string, TerminalActivity>()

beforeAll(async () => {
  world = makeWorld()
  // What an agent does: it runs, and gives each event to the command of its hook.
  const agent = join(world.home, 'agent')
  const hook = `'${process.execPath}' '${ENTRY}' hook "$client" --data-dir '${world.dataDir}'`
  writeFileSync(
    agent,
    `#!/bin/bash
client=$1
echo "agent $2 in $TANDEM_TERMINAL_ID"
while read -r event; do
  [ "$event" = quit ] && exit
  said=$(printf '%s' "$event" | ${hook} 2>&1)
  echo "hook ended with $? saying ($said)"
done
`
  )
  chmodSync(agent, 0o755)
  tandem = await Tandem.start(world)
  window = await openWindow()
  terminal = await create()
  tab = await Tab.open(tandem, terminal.tmuxSession)
})
afterAll(async () => {
  tab.close()
  window.terminate()
  await tandem.end('SIGKILL')
  await world.remove()
})

async function create(): Promise<{ id: string; tmuxSession: string }> {
  const body = { project: world.project, session: 'default' }
  return (await tandem.api('POST', '/api/terminal/sessions', body)).body as never
}

async function openWindow(): Promise<WebSocket> {
  const { url, openUrl } = tandem.ready
  const cookie = (await fetch(openUrl, { redirect: 'manual' })).headers.get('set-cookie')?.split(';')[0] ?? ''
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ui`, { headers: { cookie, origin: url } })
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString()) as UiMessage
    if ('event' in message && message.event === 'activityChanged') {
      for (const activity of message.args[0] as TerminalActivity[]) told.set(activity.id, activity)
    }
  })
  await new Promise((resolve) => socket.once('open', resolve))
  return socket
}

const state = () => told.get(terminal.id)?.agentState
const becomes = (expected: string | undefined) =>
  until(() => state()?.state === expected, { what: () => `${expected}, but: ${JSON.stringify(state())}` })

async function urgent(): Promise<string | undefined> {
  const { workspaces } = (await tandem.api('GET', '/api/workspaces')).body as unknown as {
    workspaces: WorkspaceSummary[]
  }
  return workspaces.find(({ project }) => project === world.project)?.urgent
}

// A number for each: what is typed before this one reads would go to the shell, and its Enter would be lost to both.
async function startAgent(client: string): Promise<void> {
  agents += 1
  tab.type(`~/agent ${client} ${agents}\r`)
  await tab.sees(`agent ${agents} in ${terminal.id}`)
}

async function event(fields: object): Promise<void> {
  tab.type(`${JSON.stringify(fields)}\r`)
}

const claude = (name: string, more = {}) => event({ hook_event_name: name, session_id: 's', cwd: '/', ...more })

test('what Claude Code tells its hooks is what windows are told, with the question, until it is answered', async () => {
  await startAgent('claude-code')
  await claude('SessionStart', { source: 'startup' })
  await becomes('idle')
  expect(await urgent()).toBeUndefined()
  await claude('UserPromptSubmit', { prompt: 'x' })
  await becomes('working')
  expect(await urgent()).toBe('working')
  const message = 'Claude needs your permission to use Bash'
  await claude('Notification', { message, notification_type: 'permission_prompt' })
  await becomes('needs-you')
  expect(state()).toEqual({ name: 'Claude Code', state: 'needs-you', message, since: expect.any(String) })
  expect(await urgent()).toBe('needs-you')
  // The first key of the answer is enough.
  tab.type(' ')
  await becomes('working')
  await claude('Stop', { last_assistant_message: 'All tests pass.' })
  await becomes('done')
  expect(state()?.message).toBe('All tests pass.')
  expect(told.get(terminal.id)?.isWorking).toBe(false)
  await tab.sees('hook ended with 0 saying ()')
  await claude('SessionEnd', { reason: 'exit' })
  await becomes(undefined)
  tab.type('quit\r')
})

test('an agent that ends without a word, or with its terminal, is forgotten', async () => {
  await startAgent('claude-code')
  await claude('Notification', { message: 'May I?' })
  await becomes('needs-you')
  // Ctrl+C: as if it had crashed.
  tab.type('\x03')
  await becomes(undefined)
  expect(await urgent()).toBeUndefined()
})

test('Codex gives its event as a word, opencode by its plugin', async () => {
  const turn = JSON.stringify({ type: 'agent-turn-complete', 'last-assistant-message': 'Renamed it.' })
  const words = `'${process.execPath}' '${ENTRY}' hook codex --data-dir '${world.dataDir}' '${turn}'`
  tab.type(`${words}; read -r\r`)
  await becomes('done')
  expect(state()).toMatchObject({ name: 'Codex', message: 'Renamed it.' })
  tab.type('\r')
  await becomes(undefined)
  await startAgent('opencode')
  await event({ type: 'permission.asked', properties: { permission: 'bash', patterns: ['rm *'] } })
  await becomes('needs-you')
  expect(state()?.message).toBe('bash: rm *')
  await event({ type: 'session.idle', properties: {} })
  await becomes('done')
  tab.type('quit\r')
  await becomes(undefined)
})

test('hostile words arrive as one harmless line, and no file has them', async () => {
  await startAgent('claude-code')
  const message = `<b>${SECRET_WORDS}</b>\u001b]0;evil\u0007\u202e\n${'x'.repeat(2_000)}`
  // Typed as JSON escapes: the terminal's own echo shows them as they are typed.
  tab.type(`${JSON.stringify({ hook_event_name: 'Notification', message }).replaceAll('\u202e', '\\u202e')}\r`)
  await becomes('needs-you')
  expect(state()?.message).toMatch(/^<b>question-that-is-written-nowhere<\/b> \]0;evil x+…$/)
  tab.type('\x03')
  await becomes(undefined)
  await tandem.api('GET', '/api/audit')
  const files = readdirSync(world.dataDir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  expect(files.filter((file) => readFileSync(file).includes(SECRET_WORDS))).toEqual([])
})

const door = (id: string) => `/api/terminal/sessions/${id}/agent-state`

test('the door takes only what it knows, from those who may type there', async () => {
  const asks = { agent: 'x', state: 'needs-you', message: 'May I?' }
  const refused = async (body: object, headers = {}, id = terminal.id) => {
    const { status, body: answer } = await tandem.api('POST', door(id), body, headers)
    return [status, (answer.error as { code?: string } | undefined)?.code]
  }
  expect(await refused({ ...asks, state: 'on fire' })).toEqual([400, 'INVALID_ARGUMENTS'])
  expect(await refused({ ...asks, more: 1 })).toEqual([400, 'INVALID_ARGUMENTS'])
  expect(await refused(asks, {}, '00000000-0000-4000-8000-000000000000')).toEqual([404, 'SESSION_NOT_FOUND'])
  expect(await refused(asks, { authorization: 'Bearer wrong' })).toEqual([401, 'UNAUTHORIZED'])
  expect(await refused(asks, { 'content-type': 'text/plain' })).toEqual([415, 'INVALID_ARGUMENTS'])
  const token = async (...words: string[]) => {
    const made = await runTandem(world, ['token', 'add', ...words, '--json', '--data-dir', world.dataDir])
    return { authorization: `Bearer ${(JSON.parse(made.stdout) as { token: string }).token}` }
  }
  expect(await refused(asks, await token('reader', '--scopes', 'read'))).toEqual([401, 'UNAUTHORIZED'])
  const elsewhere = await token('elsewhere', '--scopes', 'read,type', '--project', world.home)
  expect(await refused(asks, elsewhere)).toEqual([404, 'SESSION_NOT_FOUND'])
  expect(state()).toBeFalsy()
  // At the prompt no agent runs: the report is taken and is about nobody.
  expect((await tandem.api('POST', door(terminal.id), asks)).body).toEqual({ changed: false })
})

interface HookRun {
  words?: string[]
  input?: string | Buffer
  environment?: NodeJS.ProcessEnv
}

async function hook({ words = ['claude-code'], input = '{}', environment = {} }: HookRun) {
  const env = { ...world.environment, TANDEM_DATA_DIR: world.dataDir, TANDEM_TERMINAL_ID: terminal.id, ...environment }
  const child = spawn(process.execPath, [ENTRY, 'hook', ...words], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stdin.on('error', (failure) => (said += failure.message))
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, said }
}

test('whatever is wrong, the agent is left alone: no words, and an end that is well', async () => {
  const asks = JSON.stringify({ hook_event_name: 'Notification', message: 'May I?' })
  const quiet = { code: 0, said: '' }
  expect(await hook({ input: '{ broken' })).toMatchObject(quiet)
  expect(await hook({ input: Buffer.alloc(6_000_000, '{') })).toMatchObject(quiet)
  expect(await hook({ words: ['nobody'], input: asks })).toMatchObject(quiet)
  expect(await hook({ words: ['--nonsense', 'claude-code'], input: asks })).toMatchObject(quiet)
  expect(await hook({ input: asks, environment: { TANDEM_TERMINAL_ID: '../../x y' } })).toMatchObject(quiet)
  expect(await hook({ input: asks, environment: { TANDEM_TERMINAL_ID: undefined } })).toMatchObject(quiet)
  const nowhere = join(world.root, 'no-data')
  expect(await hook({ input: asks, environment: { TANDEM_DATA_DIR: nowhere } })).toMatchObject(quiet)
  expect(existsSync(nowhere)).toBe(false)
})

test('a host that does not answer keeps no agent waiting', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const stuck = join(world.root, 'stuck')
  const endpoint = JSON.parse(readFileSync(join(world.dataDir, 'endpoint.json'), 'utf8')) as object
  mkdirSync(stuck, { mode: 0o700 })
  writeFileSync(join(stuck, 'endpoint.json'), JSON.stringify({ ...endpoint, url: `http://127.0.0.1:${port}` }), {
    mode: 0o600
  })
  const asks = JSON.stringify({ hook_event_name: 'Stop' })
  expect(await hook({ input: asks, environment: { TANDEM_DATA_DIR: stuck } })).toMatchObject({ code: 0, said: '' })
  silent.close()
})
