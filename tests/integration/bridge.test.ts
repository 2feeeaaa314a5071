import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readEndpoint } from '../../src/core/data/discovery'
import { ERAS, type McpAnswer } from '../harness/mcpClients'
import { bridgeIn, connectStdio, type StdioClient } from '../harness/stdioClients'
import { ENTRY, makeWorld, processesOf, runTandem, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'

let world: World
let clients: StdioClient[]
let tandem: Tandem | undefined

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

async function connect(era: (typeof ERAS)[number], ...args: [flags?: string[], env?: NodeJS.ProcessEnv]) {
  const [flags = [], env = {}] = args
  const client = await connectStdio(era, world, { process: { ...bridgeIn(world, flags), env } })
  clients.push(client)
  return client
}

const workspace = () => ({ project: world.project, session: 'work' })
const textOf = (answer: McpAnswer) => answer.content[0]?.text ?? ''
const create = (client: StdioClient, name: string) => client.call('terminal_create_session', { ...workspace(), name })
async function names(client: StdioClient): Promise<string[]> {
  const { structuredContent } = await client.call('terminal_list_sessions', workspace())
  const { sessions } = structuredContent as { sessions: { name: string }[] }
  return sessions.map(({ name }) => name)
}
const host = () => readEndpoint(world.dataDir)
const hosts = () =>
  processesOf(world.root).filter((pid) => {
    const words = commandLine(pid)
    return words.includes('serve') && words.includes(world.dataDir)
  })
function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // gone meanwhile
  }
}

for (const era of ERAS) {
  describe(`a client of ${era}`, () => {
    test('that comes before any host is greeted, sees every tool, and its first call starts one that stays', async () => {
      const client = await connect(era)
      expect(host()).toBeUndefined()
      expect(client.instructions).toContain('live terminals')
      const tools = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('terminal_create_session')
      expect((await create(client, 'first')).structuredContent).toMatchObject({ tmuxSession: expect.any(String) })
      expect(await names(client)).toEqual(['first'])
      const pid = host()?.pid
      await client.close()
      await until(() => !processesOf(world.root).includes(client.pid), { what: 'the end of the bridge' })
      expect([host()?.pid, client.errors]).toEqual([pid, []])
    })

    test('that comes after the host uses it, under its own name and with what its flags allow', async () => {
      tandem = await Tandem.start(world)
      const client = await connect(era, ['--toolsets', 'collab', '--read-only'])
      expect((await client.listTools()).map(({ name }) => name)).toEqual(['terminal_list_sessions'])
      const other = await connect(era, [], { TANDEM_READ_ONLY: '1', TANDEM_TOOLSETS: 'collab' })
      expect((await other.listTools()).map(({ name }) => name)).toEqual(['terminal_list_sessions'])
      const writer = await connect(era)
      await create(writer, 'by name')
      const { entries } = (await tandem.api('GET', '/api/audit')).body as unknown as {
        entries: { actor: object; action: string }[]
      }
      expect(entries.at(-1)).toMatchObject({ action: 'create', actor: { token: 'owner', client: `stdio-${era}` } })
      expect(hosts()).toEqual([tandem.ready.pid])
    })

    test('works on when the host is killed, restarted, and comes back with another port and token', async () => {
      tandem = await Tandem.start(world)
      const client = await connect(era)
      await create(client, 'kept')
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
        await tandem.end(signal)
        tandem = await Tandem.start(world, ['--token', `another-token-${signal}-0123456789`])
        expect(await names(client)).toEqual(['kept'])
      }
      await tandem.end('SIGTERM')
      expect(await names(client)).toEqual(['kept'])
      expect(hosts()).toEqual([host()?.pid])
    })
  })
}

test('many bridges at once start one host and share it', async () => {
  const agents = await Promise.all(Array.from({ length: 5 }, (_, index) => connect(ERAS[index % 2] ?? '2026')))
  const answers = await Promise.all(agents.map((agent, index) => create(agent, `agent ${index}`)))
  expect(answers.filter(({ isError }) => isError)).toEqual([])
  expect((await names(agents[0] as StdioClient)).sort()).toEqual(agents.map((_, index) => `agent ${index}`))
  await until(() => hosts().length === 1, { what: 'one host alone' })
})

test('a host whose port is taken gets another one', async () => {
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
  const address = squatter.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const client = await connect('2026', [], { TANDEM_PORT: String(port) })
  expect((await create(client, 'elsewhere')).isError).toBeFalsy()
  expect(host()?.url).not.toContain(`:${port}`)
  squatter.close()
})

test('a token that is revoked is refused at once with its code; without it the same bridge would be the owner’s', async () => {
  tandem = await Tandem.start(world)
  const added = await runTandem(world, [
    'token',
    '--data-dir',
    world.dataDir,
    'add',
    'robot',
    '--scopes',
    'read',
    '--json'
  ])
  const { token } = JSON.parse(added.stdout) as { token: string }
  const client = await connect('2025', [], { TANDEM_TOKEN: token })
  expect(await names(client)).toEqual([])
  expect(textOf(await create(client, 'not allowed'))).toMatch(/^UNAUTHORIZED: Token "robot" may not type/)
  await runTandem(world, ['token', '--data-dir', world.dataDir, 'revoke', 'robot'])
  expect(textOf(await create(client, 'refused'))).toMatch(/^UNAUTHORIZED: /)
  await tandem.end('SIGTERM')
  // The host that the bridge starts now does not take the named token for the owner's.
  expect(textOf(await client.call('terminal_list_sessions', workspace()))).toMatch(/^UNAUTHORIZED: /)
  expect(host()?.token).not.toBe(token)
})

test('a named token stays a limited one in a host that its bridge started', async () => {
  const added = await runTandem(world, [
    'token',
    '--data-dir',
    world.dataDir,
    'add',
    'robot',
    '--scopes',
    'read',
    '--json'
  ])
  const { token } = JSON.parse(added.stdout) as { token: string }
  const client = await connect('2026', [], { TANDEM_TOKEN: token })
  expect(textOf(await create(client, 'not allowed'))).toMatch(/^UNAUTHORIZED: Token "robot" may not type/)
})

test('where no host can be started the tools are shown, calls say so, and work as soon as one is there', async () => {
  // A file in the place of the data dir's parent: nothing can be made there.
  const blocked = join(world.root, 'blocked')
  writeFileSync(blocked, '')
  const client = await connectStdio('2025', world, {
    process: { command: process.execPath, args: [ENTRY, 'mcp', '--data-dir', join(blocked, 'data')] }
  })
  clients.push(client)
  expect((await client.listTools()).map(({ name }) => name)).toContain('terminal_create_session')
  expect(textOf(await create(client, 'impossible'))).toMatch(/^HOST_UNAVAILABLE: .*\n.*tandem doctor/)
  rmSync(blocked)
  mkdirSync(blocked, { mode: 0o700 })
  await until(async () => !(await create(client, 'possible')).isError, { what: 'a host after all', limitMs: 60_000 })
})

test('a client that leaves, by closing, by a signal or by dying, leaves no bridge behind', async () => {
  tandem = await Tandem.start(world)
  const start = () =>
    spawn(process.execPath, bridgeIn(world).args, { env: world.environment, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = (child: ReturnType<typeof start>) =>
    new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))
  const closing = start()
  closing.stdin.end()
  expect(await ended(closing)).toBe(0)
  const told = start()
  told.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  await new Promise((resolve) => told.stdout.once('data', resolve))
  told.kill('SIGTERM')
  expect(await ended(told)).toBe(0)
  // The parent dies while another process keeps the pipe open.
  const bridge = `'${process.execPath}' '${ENTRY}' mcp --data-dir '${world.dataDir}'`
  const script = `(echo '{"jsonrpc":"2.0","id":1,"method":"ping"}'; sleep 300) | ${bridge} & sleep 300`
  const parent = spawn('/bin/sh', ['-c', script], { env: world.environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const bridges = () => processesOf(world.root).filter((pid) => commandLine(pid).includes('mcp'))
  await new Promise((resolve) => parent.stdout.once('data', resolve))
  expect(bridges()).toHaveLength(1)
  parent.kill('SIGKILL')
  await until(() => bridges().length === 0, { what: 'the end of the bridge' })
})

test('garbage on stdin is answered as the protocol says, and the bridge goes on', async () => {
  const input = ['no json', '[]', '{"jsonrpc":"1.0"}', '', '{"jsonrpc":"2.0","id":5,"method":"ping"}', ''].join('\n')
  const child = spawn(process.execPath, bridgeIn(world).args, {
    env: world.environment,
    stdio: ['pipe', 'pipe', 'inherit']
  })
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stdin.end(input)
  await new Promise((resolve) => child.once('close', resolve))
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } })
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32_700],
    [null, -32_600],
    [null, -32_600],
    [5, undefined]
  ])
})

test('its working directory is where a terminal opens that is told no other', async () => {
  tandem = await Tandem.start(world)
  const folder = join(world.root, 'ordner ü')
  mkdirSync(join(folder, '.git'), { recursive: true })
  const client = await connectStdio('2026', world, { process: { ...bridgeIn(world), cwd: folder } })
  clients.push(client)
  const { structuredContent } = await client.call('terminal__create_session')
  const info = await client.call('terminal__get_info', { session_id: structuredContent?.session_id })
  expect(info.structuredContent).toMatchObject({ cwd: realpathSync(folder) })
})
