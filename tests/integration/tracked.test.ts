import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMIT_MS } from '../harness/counts'
import { connectMcp, type McpClient } from '../harness/mcpClients'
import { Tab } from '../harness/tab'
import { makeWorld, Tandem, type World } from '../harness/tandem'
import { leaksOf, tracesOf } from '../harness/threats/traces'
import { until } from '../harness/waiting'

// The toolset `tracked` as an agent uses it: a real client, a real host, real shells.

const KEEPING = ['--persist-buffers', 'true', '--log-level', 'debug']
const WAIT = { limitMs: 60_000 }

let world: World
let tandem: Tandem
let agent: McpClient

async function connected(): Promise<McpClient> {
  return connectMcp('2026', { url: `${tandem.ready.mcpUrl}/x/tracked`, token: tandem.ready.token })
}

beforeAll(async () => {
  world = makeWorld()
  tandem = await Tandem.start(world, KEEPING)
  agent = await connected()
})
afterAll(async () => {
  await agent.close()
  await tandem.end('SIGTERM')
  await world.remove()
})

interface Buffered {
  output: string
  inputHistory: string[]
  metadata?: { isRunning: boolean; exitCode: number | null }
}

/** A connection that was idle for a while may be closed by the other side in the moment it is used again. */
async function call(name: string, args: Record<string, unknown>) {
  return agent.call(name, args).catch(() => agent.call(name, args))
}

async function ask<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
  const { structuredContent, isError, content } = await call(name, args)
  if (isError) throw new Error(content[0]?.text)
  // Each test says what it expects of the answer.
  return structuredContent as T
}

const created = async (more: Record<string, unknown> = {}) =>
  (await ask<{ terminalId: string }>('create_tracked_terminal', { cwd: world.project, ...more })).terminalId
const read = (terminalId: string, more: Record<string, unknown> = {}) =>
  ask<Buffered>('get_terminal_buffer', { terminalId, ...more })
const send = (terminalId: string, text: string) => ask('send_to_terminal', { terminalId, text })
const shows = (terminalId: string, text: string) =>
  until(async () => (await read(terminalId, { stripAnsi: true })).output.includes(text), { what: text, ...WAIT })

async function tabOf(terminalId: string): Promise<Tab> {
  const { terminals } = await ask<{ terminals: { id: string; tmuxSession: string }[] }>('list_tracked_terminals')
  return Tab.open(tandem, terminals.find(({ id }) => id === terminalId)?.tmuxSession ?? '')
}

describe.each(['bash', 'zsh', 'fish', 'dash'])('%s', (shell) => {
  test(
    'is read while someone watches and while nobody does, with the commands that both of them entered',
    async () => {
      const terminalId = await created({ shellPath: shell, name: shell })
      await send(terminalId, 'echo from-"agent"')
      await shows(terminalId, 'from-agent')
      const tab = await tabOf(terminalId)
      tab.type('echo from-"person"\r')
      await tab.sees('from-person')
      await shows(terminalId, 'from-person')
      tab.close()
      await until(async () => (await read(terminalId)).inputHistory.length >= 2, { what: 'two commands', ...WAIT })
      expect((await read(terminalId)).inputHistory).toEqual(['echo from-"agent"', 'echo from-"person"'])
      const { matches } = await ask<{ matches: { terminalId: string; text: string }[] }>('search_terminal_buffer', {
        query: '^from-(agent|person)$',
        regex: true,
        terminalId
      })
      expect(matches.map(({ text }) => text)).toEqual(['from-person', 'from-agent'])
      await until(
        async () =>
          (await call('send_to_terminal', { terminalId, text: `kill -9 ${shell === 'fish' ? '$fish_pid' : '$$'}` }))
            .isError !== true,
        {
          what: 'the keyboard',
          ...WAIT
        }
      )
      await until(async () => !(await read(terminalId, { includeMetadata: true })).metadata?.isRunning, WAIT)
      expect((await read(terminalId, { stripAnsi: true })).output).toContain('from-person')
    },
    LIMIT_MS
  )
})

test('a shell that is not there leaves nothing behind', async () => {
  const { isError, content, structuredContent } = await agent.call('create_tracked_terminal', {
    cwd: world.project,
    name: 'ghost',
    shellPath: '/no/such/shell'
  })
  expect(isError).toBe(true)
  expect(structuredContent).toBeUndefined()
  expect(content[0]?.text).toMatch(/^PROGRAM_NOT_FOUND: /)
  const { terminals } = await ask<{ terminals: { name: string }[] }>('list_tracked_terminals')
  expect(terminals.map(({ name }) => name)).not.toContain('ghost')
})

test('an unknown terminal is named, and where to look', async () => {
  const { isError, content } = await agent.call('get_terminal_buffer', { terminalId: 'nope' })
  expect(isError).toBe(true)
  expect(content[0]?.text).toBe(
    'SESSION_NOT_FOUND: Terminal nope not found. Use list_tracked_terminals to see available terminals.'
  )
})

test(
  'many terminals at once keep their own output apart',
  async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, n) => created({ name: `crowd ${n}`, shellPath: 'dash' }))
    )
    await Promise.all(ids.map((id, n) => send(id, `for i in 1 2 3; do echo own-$i-of-${n}; done`)))
    await Promise.all(ids.map((id, n) => shows(id, `own-3-of-${n}`)))
    for (const [n, id] of ids.entries()) {
      const { output } = await read(id, { stripAnsi: true })
      const others = ids.map((_, other) => `-of-${other}\n`).filter((_, other) => other !== n)
      for (const other of others) expect(output).not.toContain(other)
    }
    const { total } = await ask<{ total: number }>('search_terminal_buffer', { query: '^own-3-of-\\d$', regex: true })
    expect(total).toBe(6)
  },
  LIMIT_MS
)

const PROMPTS: Record<string, string> = {
  'read -s': 'bash -c \'read -s -p "no-""echo: " answer; echo "; got $(expr length "$answer")"\'\r',
  getpass: `python3 -c 'import getpass; print("got", len(getpass.getpass("no-" + "echo: ")))'\r`,
  'a prompt like sudo':
    'stty -echo; printf "no-""echo: "; read -r answer; stty echo; echo "; got $(expr length "$answer")"\r'
}

test.each(Object.entries(PROMPTS))(
  'a secret typed at %s is in no buffer, history, search, file or log',
  async (_, command) => {
    for (const shell of ['bash', 'dash']) {
      const secret = `typed${randomBytes(10).toString('hex')}`
      const terminalId = await created({ shellPath: shell })
      const tab = await tabOf(terminalId)
      tab.type(command)
      await tab.sees('no-echo: ')
      await until(async () => (await call('send_to_terminal', { terminalId, text: 'mine' })).isError, WAIT)
      for (const key of `${secret}\r`) tab.type(key)
      await tab.sees(`got ${secret.length}`)
      await until(
        async () => (await call('send_to_terminal', { terminalId, text: 'echo the-"end"' })).isError !== true,
        WAIT
      )
      await until(async () => (await read(terminalId)).inputHistory.includes('echo the-"end"'), WAIT)
      const answers = await Promise.all([
        read(terminalId, { includeMetadata: true }),
        read(terminalId, { stripAnsi: true }),
        ask('search_terminal_buffer', { query: secret }),
        ask('list_tracked_terminals')
      ])
      expect(answers[2]).toMatchObject({ total: 0 })
      const traces = [...tracesOf(tandem), { where: 'an answer', text: JSON.stringify(answers) }]
      expect(leaksOf(traces, [secret])).toEqual([])
      tab.close()
    }
  },
  LIMIT_MS
)

test(
  'kept output is private, is read on after a restart of the host, and goes with its terminal',
  async () => {
    const terminalId = await created({ shellPath: 'dash' })
    await send(terminalId, 'echo kept-"for" later')
    await shows(terminalId, 'kept-for later')
    const found = () =>
      ask<{ matches: { index: number }[] }>('search_terminal_buffer', {
        query: '^kept-for later',
        regex: true,
        terminalId
      })
    const { output } = await read(terminalId)
    await agent.close()
    await tandem.end('SIGTERM')
    const file = join(world.dataDir, 'buffers', `${terminalId}.output`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(world.dataDir, 'buffers')).mode & 0o777).toBe(0o700)
    tandem = await Tandem.start(world, KEEPING)
    agent = await connected()
    expect((await read(terminalId)).output.startsWith(output)).toBe(true)
    expect((await found()).matches).toHaveLength(1)
    await send(terminalId, 'echo and-"more"')
    await shows(terminalId, 'and-more')
    await tandem.api(
      'DELETE',
      `/api/terminal/sessions/${terminalId}?${new URLSearchParams({ project: world.project, session: 'default' })}`
    )
    await until(() => !readdirSync(join(world.dataDir, 'buffers')).includes(`${terminalId}.output`), WAIT)
    await agent.close()
    await tandem.end('SIGTERM')
    tandem = await Tandem.start(world)
    agent = await connected()
    expect(readdirSync(join(world.dataDir, 'buffers'))).toEqual([])
  },
  LIMIT_MS
)
