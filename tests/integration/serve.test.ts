import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
  [['--colour'], '--colour']
])('serve %j is a usage error: exit 2', async (flags, said) => {
  const { code, stdout, stderr } = await serve(...flags)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(said)
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
