import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { connectMcp } from '../harness/mcpClients'
import { Tab } from '../harness/tab'
import { makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import * as doors from '../harness/threats/doors'
import { leaksOf, runtimeDirOf, tracesOf } from '../harness/threats/traces'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

// Another user of the same machine: connects, looks around, listens where we used to.

const INTRUDER = fileURLToPath(new URL('../harness/threats/intruder.mjs', import.meta.url))
const CRASH_ON_SIGNAL = fileURLToPath(new URL('../harness/crashOnSignal.cjs', import.meta.url))
const NOBODY = ['--reuid=65534', '--regid=65534', '--clear-groups']
const isRoot = process.getuid?.() === 0

let world: World
let tandem: Tandem
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld({ TANDEM_PERSIST_BUFFERS: 'true', NODE_OPTIONS: `--require=${CRASH_ON_SIGNAL}` })
  // As open as a careless user's folders: what must stay shut is shut by the product.
  const folders = ['home', 'project', 'tmux', 'run'].map((name) => join(world.root, name))
  for (const path of [world.root, ...folders]) if (existsSync(path)) chmodSync(path, 0o777)
  world.dataDir = join(world.root, 'made', 'by', 'tandem')
  tandem = await Tandem.start(world, ['--log-level', 'debug'])
})
afterAll(async () => {
  await tandem.end('SIGTERM')
  await world.remove()
})

/** Every directory, file, socket and FIFO that the product made. */
function madeByUs(): string[] {
  const roots = [join(world.root, 'made'), join(world.project, '.collab'), runtimeDirOf(world)]
  const sockets = join(world.root, 'tmux', `tmux-${process.getuid?.()}`)
  return [...roots, sockets].flatMap((root) => [
    root,
    ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name))
  ])
}

async function useEverything(): Promise<{ tmuxSession: string; secrets: string[] }> {
  const { token, openUrl } = tandem.ready
  const { tmuxSession } = await work.create('one')
  const { id } = await work.create('two')
  await work.rename(id, 'three')
  await work.kill(id)
  const [[, cookie]] = (await doors.letInBrowser(tandem, openUrl)) as [[string, string]]
  const limited = (await runTandem(world, ['token', '--data-dir', world.dataDir, 'add', 'agent'])).stdout.trim()
  const tab = await Tab.open(tandem, tmuxSession, { token: limited })
  tab.type('echo typed-by-an-agent; env > /dev/null; history -a\r')
  await tab.sees(/\n\r?typed-by-an-agent/)
  const byQuery = new WebSocket(`${tandem.ready.wsUrl}?arg=${tmuxSession}&token=${token}`, ['tty'])
  await new Promise((resolve) => byQuery.once('open', resolve))
  byQuery.terminate()
  await fetch(`${tandem.ready.url}/api/workspaces?token=${token}`, { headers: { authorization: 'Bearer wrong' } })
  await runTandem(world, ['ls', '--data-dir', world.dataDir])
  tab.close()
  await runPython()
  return {
    tmuxSession,
    secrets: [token, limited, cookie.split('=')[1] ?? '', new URL(openUrl).searchParams.get('code') ?? '']
  }
}

/** Leaves a script in the project. */
async function runPython(): Promise<void> {
  const client = await connectMcp('2026', { url: tandem.ready.mcpUrl, token: tandem.ready.token })
  const opened = await client.call('open_new_terminal', { project: world.project, session_id: 'work' })
  const { terminal_id } = opened.structuredContent as { terminal_id: string }
  const ran = await client.call('execute_python', { terminal_id, code: 'print(6 * 7)' })
  expect(ran.structuredContent).toMatchObject({ output: '42' })
  await client.close()
}

/** Leaves a record of it, and the output that was kept. */
async function crash(): Promise<Tandem> {
  const buffers = join(world.dataDir, 'buffers')
  await until(() => existsSync(buffers) && readdirSync(buffers).length > 0, { what: 'output to be kept' })
  process.kill(tandem.ready.pid, 'SIGUSR2')
  await tandem.exit()
  return Tandem.start(world, ['--log-level', 'debug'])
}

test('no token, cookie or code is in a log, a file, a command line, a program or tmux', async () => {
  const { secrets } = await useEverything()
  expect(secrets.filter((secret) => secret.length >= 40)).toHaveLength(4)
  const crashed = tandem
  tandem = await crash()
  const traces = [...tracesOf(tandem), { where: 'stderr of the crash', text: crashed.stderr }]
  expect(leaksOf(traces, secrets)).toEqual([])
  // The search itself works: what was typed in the open is in the shell's history.
  expect(leaksOf(traces, ['typed-by-an-agent'])).not.toEqual([])
})

test('everything we make is for its owner alone', () => {
  const made = madeByUs()
  for (const name of ['buffers', 'crashes', 'scripts'])
    expect(made.filter((path) => path.includes(`/${name}/`)).length, name).toBeGreaterThan(0)
  const open = made.filter((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found && !found.isSymbolicLink() && (found.mode & 0o077) !== 0
  })
  expect(open).toEqual([])
})

test.skipIf(!isRoot)('another user gets nothing from any door, file or socket', async () => {
  const asked = {
    port: doors.portOf(tandem),
    doors: (await doors.doorsOf(tandem)).filter(({ path }) => path !== '/healthz'),
    paths: madeByUs(),
    lock: readOwnerId()
  }
  const output = execFileSync('setpriv', [...NOBODY, process.execPath, INTRUDER, JSON.stringify(asked)], {
    encoding: 'utf8',
    cwd: '/'
  })
  const { answers, opened } = JSON.parse(output) as { answers: string[]; opened: string[] }
  expect(answers.length).toBeGreaterThan(200)
  expect(answers.filter((answer) => !answer.startsWith('401 '))).toEqual([])
  expect(opened).toEqual([])
  expect((await tandem.api('GET', '/healthz')).status).toBe(200)
})

test.skipIf(!isRoot)('the link on the command line of the opener is of no use to another user', async () => {
  const folder = join(world.root, 'bin')
  mkdirSync(folder)
  const seen = join(world.root, 'seen')
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$*" > ${seen}.new && mv ${seen}.new ${seen}\n`, {
    mode: 0o755
  })
  const other = makeWorld({ PATH: `${folder}:${process.env.PATH}` })
  const opening = await Tandem.start(other, ['--open'])
  try {
    const link = await until(() => (existsSync(seen) ? readFileSync(seen, 'utf8') : undefined), { what: 'the opener' })
    expect(new URL(link).origin).toBe(opening.ready.url)
    const script =
      "fetch(process.argv[1], { redirect: 'manual' }).then(r => console.log(r.status, r.headers.get('set-cookie')))"
    const asNobody = () =>
      execFileSync('setpriv', [...NOBODY, process.execPath, '-e', script, link], { encoding: 'utf8', cwd: '/' })
    expect(asNobody()).toBe('401 null\n')
    const own = await fetch(link, { redirect: 'manual' })
    expect([own.status, own.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('HttpOnly')])
    expect(asNobody()).toBe('401 null\n')
  } finally {
    await opening.end('SIGTERM')
    await other.remove()
  }
})

function readOwnerId(): string {
  return execFileSync('cat', [join(world.dataDir, 'owner-id')], { encoding: 'utf8' }).trim()
}

test('whoever listens on the port of a killed host is sent nothing', async () => {
  const other = makeWorld()
  const killed = await Tandem.start(other)
  const port = doors.portOf(killed)
  await killed.end('SIGKILL')
  const heard: string[] = []
  const squatter = createServer((request, response) => {
    heard.push(`${request.url} ${request.headers.authorization}`)
    response.end('{}')
  })
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve))
  try {
    for (const command of [['ls'], ['open'], ['kill', '--all'], ['attach', 'x']]) {
      const { code } = await runTandem(other, [...command, '--data-dir', other.dataDir])
      expect(code).not.toBe(0)
    }
    expect(heard).toEqual([])
  } finally {
    await new Promise((resolve) => squatter.close(resolve))
    await other.remove()
  }
})

test('a stopped host leaves nothing behind that others may read', async () => {
  const runtimeDir = runtimeDirOf(world)
  await tandem.end('SIGTERM')
  await until(() => lstatSync(runtimeDir, { throwIfNoEntry: false }) === undefined, { what: 'the runtime dir to go' })
  const left = execFileSync('find', [join(world.root, 'made'), join(world.project, '.collab'), '-perm', '/077'])
  expect(left.toString()).toBe('')
})
