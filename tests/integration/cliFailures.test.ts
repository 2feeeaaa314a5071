import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENTRY, makeWorld, runTandem, Tandem, type World } from '../harness/tandem'
import { WorkspaceClient } from '../harness/workspace'

let world: World
let tandem: Tandem
const work = new WorkspaceClient(() => tandem)

beforeAll(async () => {
  world = makeWorld()
  for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) delete world.environment[name]
  world.environment.TANDEM_DATA_DIR = world.dataDir
  tandem = await Tandem.start(world)
  await work.create('one')
})
afterAll(async () => {
  await tandem.end('SIGKILL')
  await world.remove()
})

const run = (...args: string[]) => runTandem(world, args)

const PRINTING = [
  ['ls'],
  ['ls', '--json'],
  ['ls', '--completion'],
  ['log', '--limit', '9999'],
  ['log', '--json', '--limit', '9999'],
  ['log', '--follow'],
  ['open'],
  ['token', 'ls', '--json'],
  ['token', 'add', 'unread'],
  ['token', 'revoke', 'unread', '--json'],
  ['completion', 'bash'],
  ['doctor'],
  ['setup', 'claude-code', '--print'],
  ['app', '.', '--json'],
  ['--help'],
  ['kill', '--all']
]

/** What a command says, and how it ends, when its answer goes where it cannot. */
async function runInto(stdout: 'nowhere' | number, words: readonly string[]): Promise<{ code: unknown; said: string }> {
  const child = spawn(process.execPath, [ENTRY, ...words], {
    env: world.environment,
    cwd: world.project,
    stdio: ['ignore', stdout === 'nowhere' ? 'pipe' : stdout, 'pipe']
  })
  child.stdout?.destroy()
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, said }
}

test('a command whose reader has gone ends with 0 and without a word', async () => {
  for (const words of PRINTING) {
    const { code, said } = await runInto('nowhere', words)
    expect([words, code, said]).toEqual([words, 0, expect.not.stringMatching(/EPIPE|^\s+at /m)])
  }
})

test('an answer that cannot be written for another reason is a failure that is said', async () => {
  await work.create('two')
  const full = openSync('/dev/full', 'w')
  const { code, said } = await runInto(full, ['ls'])
  closeSync(full)
  expect(code).toBe(1)
  expect(said).toMatch(/^Something went wrong: .*ENOSPC.*\n$/)
})

test('a host whose reader has gone goes on', async () => {
  expect((await run('ls')).code).toBe(0)
  const other = makeWorld()
  const words = [ENTRY, 'serve', '--port', '0', '--json', '--data-dir', other.dataDir]
  const child = spawn(process.execPath, words, { env: other.environment, stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout?.destroy()
  try {
    const found = await Tandem.found(other, child)
    expect((await found.api('GET', '/api/workspaces')).status).toBe(200)
  } finally {
    child.kill('SIGKILL')
    await other.remove()
  }
})

test('kill --all goes on after one that fails, and tells what was ended, what not, and what helps', async () => {
  await run('kill', '--all')
  const made = [await work.create('first'), await work.create('stuck'), await work.create('last')]
  const [first, stuck, last] = made.map(({ id }) => id)
  const error = { code: 'TMUX_UNRESPONSIVE', message: 'tmux did not answer', hint: 'Continue it.' }
  const host = await hostThatRefuses(
    (request) => request.method === 'DELETE' && request.url?.includes(`${stuck}`),
    error
  )
  const handle = `sess_${stuck?.slice(0, 8)}`
  try {
    const alone = await run('kill', 'stuck')
    expect(alone).toMatchObject({ code: 1, stdout: '0 terminals ended.\n' })
    expect(alone.stderr).toBe(`${handle} "stuck" was not ended: tmux did not answer. Continue it.\n`)
    const all = await run('kill', '--all', '--json')
    expect([all.code, JSON.parse(all.stdout)]).toEqual([
      1,
      { killed: [first, last], failed: [{ id: stuck, ...error }] }
    ])
    expect(all.stderr).toBe(alone.stderr)
    expect((await work.list()).map(({ id }) => id)).toEqual([stuck])
  } finally {
    host.close()
  }
})

test('every command tells the hint that the host gives with a refusal', async () => {
  const error = { code: 'IO_ERROR', message: 'Nothing can be opened', hint: 'Start with a higher limit (ulimit -n).' }
  const host = await hostThatRefuses(() => true, error)
  const refused = 'The running host refused: Nothing can be opened. Start with a higher limit (ulimit -n).\n'
  try {
    for (const words of [['ls'], ['open'], ['kill', '--all'], ['log'], ['app', world.project]]) {
      expect([words, await run(...words)]).toEqual([words, { code: 1, stdout: '', stderr: refused }])
    }
  } finally {
    host.close()
  }
})

/** The host behind a door that turns some requests away. Found like the host itself until it is closed. */
async function hostThatRefuses(
  isRefused: (request: IncomingMessage) => boolean | undefined,
  error: object
): Promise<{ close(): void }> {
  const server: Server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (isRefused(request)) {
      response.writeHead(503).end(JSON.stringify({ error }))
      return
    }
    const { method = '', url = '', headers } = request
    const { authorization = '' } = headers
    const answer = await fetch(`${tandem.ready.url}${url}`, { method, headers: { authorization } })
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const file = join(world.dataDir, 'endpoint.json')
  const published = readFileSync(file, 'utf8')
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  writeFileSync(file, published.replace(tandem.ready.url, `http://127.0.0.1:${port}`))
  return {
    close: () => {
      writeFileSync(file, published)
      server.close()
    }
  }
}
