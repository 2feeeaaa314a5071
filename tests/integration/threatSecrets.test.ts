import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { count, LIMIT_MS } from '../harness/counts'
import { connectMcp } from '../harness/mcpClients'
import { Tab } from '../harness/tab'
import { makeWorld, processesOf, Tandem, type World } from '../harness/tandem'
import { hiddenPrompts } from '../harness/threats/hiddenPrompts'
import { leaksOf, tracesOf } from '../harness/threats/traces'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

// Secrets of the person: those in the host's environment, and those typed where nothing is echoed.

const newCanary = () => `canary${randomBytes(12).toString('hex')}`
const CANARY = newCanary()
const NAMES = [
  ...['GITHUB_TOKEN', 'GH_TOKEN', 'NPM_TOKEN', 'SLACK_BOT_TOKEN', 'TOKEN', 'my_token_file', 'AWS_SESSION_TOKEN'],
  ...['AWS_SECRET_ACCESS_KEY', 'CLIENT_SECRET', 'SECRET', 'secret_word', 'DJANGO_SECRET_KEY', 'PGPASSWORD', 'PASSWORD'],
  ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'gemini_api_key', 'GOOGLE_CREDENTIALS', 'TANDEM_SIGNING_KEY'],
  ...['ELECTRON_RUN_AS_NODE_X', 'ELECTRON_EXTRA', 'VSCODE_IPC_HOOK', 'VSCODE_PID', 'DYLD_INSERT_LIBRARIES', 'DEBUG'],
  ...['SNAP_NAME', 'SNAP', 'GDK_PIXBUF_MODULE_FILE', 'SSH_AUTH_SOCK', 'GPG_AGENT_INFO', 'TANDEM_SECRET_NOTE']
]

let world: World
let tandem: Tandem
const work = new WorkspaceClient(() => tandem)

/** A machine of a person with secrets in their environment. */
function worldWithSecrets(canary: string): World {
  const canaries = Object.fromEntries(NAMES.map((name, index) => [name, `${canary}-${index}`]))
  // These two must hold something harmless for the host itself to start.
  const loaders = { LD_PRELOAD: '', NODE_OPTIONS: `--title=${canary}-node` }
  return makeWorld({ ...canaries, ...loaders, HARMLESS: 'passes' })
}

beforeAll(async () => {
  world = worldWithSecrets(CANARY)
  tandem = await Tandem.start(world, ['--log-level', 'debug'])
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

test('no secret of the host’s environment reaches a program, tmux, a file or a log', async () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(30)
  await noSecretLeaves(tandem, { canary: CANARY, hasTmux: true })
})

test('nor a program that the host itself keeps', async () => {
  const canary = newCanary()
  const other = worldWithSecrets(canary)
  const keeper = await Tandem.start(other, ['--log-level', 'debug', '--backend', 'pty'])
  try {
    await noSecretLeaves(keeper, { canary, hasTmux: false })
  } finally {
    await keeper.end('SIGTERM')
    await other.remove()
  }
})

async function noSecretLeaves(host: Tandem, { canary, hasTmux }: { canary: string; hasTmux: boolean }): Promise<void> {
  const there = new WorkspaceClient(() => host)
  const { id, tmuxSession } = await there.create()
  const pid = (await there.find(id))?.pid ?? 0
  const tab = await Tab.open(host, tmuxSession)
  tab.type('env | sort > environment.txt; echo wrote-"it"\r')
  await tab.sees('wrote-it')
  tab.close()
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  expect(environment).toContain('HARMLESS=passes')
  const names = environment.map((entry) => entry.split('=')[0] ?? '')
  expect(names.filter((name) => [...NAMES, 'LD_PRELOAD', 'NODE_OPTIONS', 'TMUX', 'TMUX_PANE'].includes(name))).toEqual(
    []
  )
  expect(processesOf(host.world.root).length).toBeGreaterThan(hasTmux ? 2 : 1)
  // Our own process has them, and the title it was told to take.
  const traces = tracesOf(host, { hasTmux }).filter(({ where }) => where !== `command line of ${host.ready.pid}`)
  expect(leaksOf(traces, [canary])).toEqual([])
  await there.kill(id)
}

async function opened(): Promise<{ id: string; tmuxSession: string; pid: number }> {
  const { id, tmuxSession } = await work.create()
  return { id, tmuxSession, pid: (await work.find(id))?.pid ?? 0 }
}

const PROMPTS = hiddenPrompts(() => world)

/** Everything an agent can read of a terminal, at every door that agents have. */
async function readByAgents(id: string): Promise<string> {
  const client = await connectMcp('2026', { url: tandem.ready.mcpUrl, token: tandem.ready.token })
  try {
    const calls: [tool: string, args: Record<string, unknown>][] = [
      ['terminal__read', { session_id: id, view: 'screen' }],
      ['terminal__read', { session_id: id, view: 'scrollback' }],
      ['terminal__get_info', { session_id: id }],
      ['read_terminal_output', { terminal_id: id }],
      ['get_terminal_buffer', { terminalId: id }],
      ['search_terminal_buffer', { query: 'typed' }],
      ['list_terminals', {}]
    ]
    const answers: unknown[] = []
    for (const [tool, args] of calls) {
      const answer = await client.call(tool, args)
      expect(answer.isError, `${tool}: ${answer.content[0]?.text}`).toBeFalsy()
      answers.push(answer)
    }
    const ofTerminals = (await client.listTemplates()).filter((template) => template.includes('{id}'))
    expect(ofTerminals).not.toEqual([])
    for (const template of ofTerminals) answers.push(await client.read(template.replace('{id}', id)))
    return JSON.stringify(answers)
  } finally {
    await client.close()
  }
}

/** First for the person's keys, and when those are forgotten, after four seconds, for what the terminal waits for. */
async function agentsAreRefused(id: string): Promise<void> {
  const client = await connectMcp('2026', { url: tandem.ready.mcpUrl, token: tandem.ready.token })
  try {
    const refusal = async () => {
      const answer = await client.call('terminal__send', { session_id: id, text: 'guess', submit: true })
      const text = answer.content[0]?.text ?? ''
      expect(text).toMatch(/^HUMAN_HAS_CONTROL: /)
      return text
    }
    await until(async () => (await refusal()).includes('password'), { what: 'the hidden prompt to be seen' })
  } finally {
    await client.close()
  }
}

for (const { name, asks, line, missing } of PROMPTS) {
  test.skipIf(missing !== undefined)(
    `what is typed at ${name} is in no file, log, record, buffer, answer or screen`,
    async () => {
      for (let round = 0; round < count({ small: 2, full: 4 }); round++) {
        // Short ones go to tmux as keys, long ones through a file of ours.
        const secret = `typed${randomBytes(round % 2 === 0 ? 10 : 90).toString('hex')}`
        const { id, tmuxSession } = await opened()
        const tabs = await Promise.all([Tab.open(tandem, tmuxSession), Tab.open(tandem, tmuxSession)])
        tabs[0].type(`${line(secret)}\r`)
        await tabs[0].sees(asks)
        if (round < count({ small: ['sudo', 'ssh'].includes(name) ? 1 : 0, full: 1 })) await agentsAreRefused(id)
        const whileAsked = await readByAgents(id)
        tabs[0].type(`${secret}\r`)
        await tabs[0].sees(`got ${secret.length}`)
        const late = await Tab.open(tandem, tmuxSession)
        const answers = await Promise.all([tandem.api('GET', '/api/workspaces'), work.list(), readByAgents(id)])
        const seen = [...tabs, late].map((tab) => ({ where: 'a viewer', text: tab.text }))
        const traces = [
          ...tracesOf(tandem),
          ...seen,
          { where: 'an answer', text: JSON.stringify([whileAsked, answers]) }
        ]
        expect(leaksOf(traces, [secret])).toEqual([])
        for (const tab of [...tabs, late]) tab.close()
        await work.kill(id)
      }
    },
    LIMIT_MS
  )
}

test('what was typed is not left by a host that is killed in the middle of it', async () => {
  const { tmuxSession } = await opened()
  const tab = await Tab.open(tandem, tmuxSession)
  tab.type(`${PROMPTS[0]?.line('')}\r`)
  await tab.sees(PROMPTS[0]?.asks ?? '')
  const secret = `typed${randomBytes(2000).toString('hex')}`
  tab.type(`${secret}\r`)
  await tandem.end('SIGKILL')
  tandem = await Tandem.start(world)
  expect(leaksOf(tracesOf(tandem), [secret.slice(0, 40)])).toEqual([])
})
