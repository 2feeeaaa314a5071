import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockHolder } from '../../src/core/data/ownerLock'
import { ENTRY, makeWorld, processesOf, runTandem, Tandem, type World } from '../harness/tandem'
import { until } from '../harness/waiting'
import { WorkspaceClient } from '../harness/workspace'

let world: World
const running: Tandem[] = []

beforeEach(() => {
  world = makeWorld()
})
afterEach(async () => {
  for (const tandem of running.splice(0)) await tandem.end('SIGKILL')
  await world.remove()
})

async function start(flags: string[] = []): Promise<Tandem> {
  const tandem = await Tandem.start(world, flags)
  running.push(tandem)
  return tandem
}

const serve = (...flags: string[]) => runTandem(world, ['serve', '--data-dir', world.dataDir, ...flags])

test('the ready line has every address, the token and the process itself', async () => {
  const { ready } = await start()
  const origin = /^http:\/\/127\.0\.0\.1:\d+$/
  expect(ready).toMatchObject({ type: 'ready', url: expect.stringMatching(origin), mcpUrl: `${ready.url}/mcp` })
  expect(ready.wsUrl).toBe(`${ready.url.replace('http', 'ws')}/ws`)
  expect(ready.openUrl.startsWith(`${ready.url}/?code=`)).toBe(true)
  expect(Buffer.from(ready.token, 'base64url')).toHaveLength(32)
  process.kill(ready.pid, 0)
  const health = await fetch(`${ready.url}/healthz`)
  expect(await health.json()).toEqual({ status: 'ok', version: ready.version })
})

test('a second host for the same data dir names the first and exits 3', async () => {
  const { ready } = await start()
  const { code, stdout, stderr } = await serve('--port', '0', '--json')
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toContain(String(ready.pid))
})

/** A world where tmux answers nothing until it is told to: a host that starts there takes as long as a test wants. */
function makeSlowTmux(): { answer(): void } {
  const folder = join(world.root, 'slow')
  mkdirSync(folder)
  const wait = `while [ ! -e ${folder}/go ]; do sleep 0.02; done`
  writeFileSync(join(folder, 'tmux'), `#!/bin/sh\n${wait}\nPATH=\${PATH#*:} exec tmux "$@"\n`, { mode: 0o755 })
  world.environment.PATH = `${folder}:${world.environment.PATH}`
  return { answer: () => writeFileSync(join(folder, 'go'), '') }
}

/** A host whose start is under way. */
async function startSlowly() {
  const args = [ENTRY, 'serve', '--port', '0', '--data-dir', world.dataDir]
  const child = spawn(process.execPath, args, { env: world.environment })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()))
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await until(() => lockHolder(world.dataDir) === child.pid, { what: 'the owner of the data directory' })
  return { pid: child.pid ?? 0, said, exit }
}

test('a second host waits until the first has started, and names it also when that does not come about', async () => {
  const tmux = makeSlowTmux()
  const first = await startSlowly()
  process.kill(first.pid, 'SIGSTOP')
  const early = await serve('--port', '0')
  process.kill(first.pid, 'SIGCONT')
  expect(early).toMatchObject({ code: 3, stderr: expect.stringContaining(`Process ${first.pid} owns`) })
  const second = serve('--port', '0')
  tmux.answer()
  await until(() => first.said.stdout.includes('http://'), { what: 'the first host' })
  expect(await second).toMatchObject({ code: 3, stderr: expect.stringMatching(`process ${first.pid} at http://`) })
  process.kill(first.pid, 'SIGTERM')
  expect(await first.exit).toBe(0)
})

test('a host that is told to stop while it starts does so and never says that it is ready', async () => {
  const tmux = makeSlowTmux()
  const host = await startSlowly()
  process.kill(host.pid, 'SIGTERM')
  await until(() => host.said.stderr.includes('Stopping'), { what: 'the answer to the signal' })
  tmux.answer()
  expect([await host.exit, host.said.stdout]).toEqual([0, ''])
  expect(existsSync(join(world.dataDir, 'endpoint.json'))).toBe(false)
})

test('another Ctrl+C ends a host that is slow to stop; the same one passed on twice does not', async () => {
  makeSlowTmux()
  const host = await startSlowly()
  for (const _ of [1, 2]) process.kill(host.pid, 'SIGINT')
  await until(() => host.said.stderr.includes('Stopping'), { what: 'the answer to the signal' })
  let isOver = false
  const exit = host.exit.finally(() => {
    isOver = true
  })
  await until(() => isOver || !process.kill(host.pid, 'SIGINT'), { what: 'the end' })
  expect(await exit).toBe(1)
  await until(() => host.said.stderr.includes('Ended at once'), { what: 'the last words' })
})

test('an explicit port that is busy is said, with exit 4, and leaves nothing behind', async () => {
  const busy = createServer()
  const port = await new Promise<number>((resolve) => {
    busy.listen(0, '127.0.0.1', () => resolve((busy.address() as { port: number }).port))
  })
  const { code, stderr } = await serve('--port', String(port))
  busy.close()
  expect(code).toBe(4)
  expect(stderr).toContain(String(port))
  await until(() => processesOf(world.root).length === 0, { what: 'the end of everything that was started' })
  expect(readdirSync(join(world.root, 'run'))).toEqual([])
  expect(existsSync(join(world.dataDir, 'endpoint.json'))).toBe(false)
})

test.each([
  [['--port', '70000'], '70000'],
  [['--port', 'x'], '"x"'],
  [['--host', '0.0.0.0'], '--allow-remote'],
  [['--host', '0.0.0.0', '--allow-remote'], '--token'],
  [['--host', '0.0.0.0', '--allow-remote', '--token', 'short'], '--token is too short'],
  [['--token', 'two words'], '--token must be'],
  [['--token', ''], '--token must be'],
  [['--data-dir', ''], '--data-dir is empty'],
  [['--colour'], '--colour']
])('serve %j is a usage error: exit 2', async (flags, said) => {
  const { code, stdout, stderr } = await serve(...flags)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(said)
})

test('every address of this machine alone is loopback, and one that is not its own is said to be so', async () => {
  for (const address of ['127.0.0.2', ...(hasIpv6() ? ['::1'] : [])]) {
    const tandem = await start(['--host', address])
    expect(new URL(tandem.ready.url).hostname).toBe(address.includes(':') ? `[${address}]` : address)
    expect((await tandem.api('POST', '/api/reconcile', {})).status).toBe(200)
    expect(await tandem.end('SIGTERM')).toBe(0)
  }
  const flags = ['--host', '192.0.2.1', '--allow-remote', '--token', '0123456789abcdef', '--port', '0']
  expect(await serve(...flags)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/192\.0\.2\.1.*no address of this/)
  })
})

const hasIpv6 = () => Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

test('a port that is set wrongly is blamed on where it was set', async () => {
  world.environment.TANDEM_PORT = 'x'
  expect(await serve()).toMatchObject({ code: 2, stderr: expect.stringMatching(/^TANDEM_PORT is "x"/) })
})

test('the level of the log holds from the first line to the last', async () => {
  writeFileSync(join(world.dataDir, 'config.json'), '{"log_level":"error"}')
  const quiet = await start()
  expect(await quiet.end('SIGTERM')).toBe(0)
  expect(quiet.stderr).toBe('Stopping. Terminals in tmux live on.\n')
  const loud = await start(['--log-level', 'debug'])
  expect(loud.stderr).toContain('Reconciled')
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops the host cleanly, and terminals live on', async (signal) => {
  const tandem = await start()
  const { tmuxSession } = await new WorkspaceClient(() => tandem).create()
  expect(await tandem.end(signal)).toBe(0)
  expect(tandem.stderr).not.toMatch(/warn|error/)
  expect(existsSync(join(world.dataDir, 'endpoint.json'))).toBe(false)
  expect(readdirSync(join(world.root, 'run'))).toEqual([])
  expect(world.tmux('list-sessions', '-F', '#{session_name}').trim()).toBe(tmuxSession)
})

test('Ctrl+C, which reaches the whole process group, stops it as cleanly', async () => {
  const args = [ENTRY, 'serve', '--port', '0', '--json', '--data-dir', world.dataDir]
  const child = spawn(process.execPath, args, { env: world.environment, detached: true })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const code = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-(child.pid ?? 0), 'SIGINT')
  expect(await code).toBe(0)
  expect(stderr).not.toMatch(/warn|error/)
})

test('a host without terminals leaves no tmux server behind', async () => {
  const tandem = await start()
  expect(await tandem.end('SIGTERM')).toBe(0)
  await until(() => processesOf(world.root).length === 0, { what: 'the end of the tmux server' })
})

test('everything in the data dir is private', async () => {
  await start()
  expect(statSync(world.dataDir).mode & 0o777).toBe(0o700)
  for (const entry of readdirSync(world.dataDir, { recursive: true, withFileTypes: true })) {
    const { mode } = statSync(join(entry.parentPath, entry.name))
    expect([entry.name, mode & 0o077]).toEqual([entry.name, 0])
  }
})

test('`tandem open` prints a fresh address of the running host; without one it exits 5', async () => {
  const open = () => runTandem(world, ['open', '--data-dir', world.dataDir])
  expect((await open()).code).toBe(5)
  const { ready } = await start()
  const { code, stdout } = await open()
  expect(code).toBe(0)
  expect(stdout.trim()).not.toBe(ready.openUrl)
  const page = await fetch(stdout.trim(), { redirect: 'manual' })
  expect(page.status).toBe(303)
  expect(page.headers.get('set-cookie')).toMatch(/HttpOnly.*SameSite=Strict/i)
  expect((await fetch(stdout.trim(), { redirect: 'manual' })).status).toBe(401)
})

test('a setting of the file holds, its change counts without a restart, and a flag wins over it', async () => {
  const allow = (count: number) => writeFileSync(join(world.dataDir, 'config.json'), `{"max_terminals": ${count}}`)
  allow(1)
  const tandem = await start()
  const work = new WorkspaceClient(() => tandem)
  await work.create()
  await expect(work.create()).rejects.toThrow('MAX_SESSIONS')
  allow(2)
  await until(() => work.create().catch(() => undefined), { what: 'a second terminal' })
  expect(await tandem.end('SIGTERM')).toBe(0)
  const flagged = await start(['--max-terminals', '3'])
  const again = new WorkspaceClient(() => flagged)
  await again.create()
  await expect(again.create()).rejects.toThrow('MAX_SESSIONS')
})
