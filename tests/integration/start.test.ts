import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeWorld, type World } from '../harness/tandem'
import { until } from '../harness/waiting'

// `npm start` and `npm run -s serve` as a person or a script runs them, in a world of their own.

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
let world: World
let child: ChildProcess | undefined
let stdout = ''
let stderr = ''

beforeEach(() => {
  world = makeWorld({ npm_config_update_notifier: 'false' })
  for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) delete world.environment[name]
  stdout = ''
  stderr = ''
})

afterEach(async () => {
  child?.kill('SIGKILL')
  await world.remove()
})

function run(...args: string[]): ChildProcess {
  const started = spawn('npm', args, { cwd: REPOSITORY, env: world.environment, stdio: ['ignore', 'pipe', 'pipe'] })
  started.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  started.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  child = started
  return started
}

const ended = (started: ChildProcess) => new Promise<number | null>((resolve) => started.once('close', resolve))
const health = async (url: string) => (await fetch(`${url}/healthz`)).json()

test.runIf(process.platform === 'linux')(
  'without a display it says so in one line and serves for the browser',
  async () => {
    const started = run('start', '--', '--port', '0', '--data-dir', world.dataDir)
    const [, url = ''] = await until(() => /(http:\/\/127\.0\.0\.1:\d+)\/\?code=/.exec(stdout), { what: 'the address' })
    expect(stderr.split('\n').filter((line) => line.includes('display'))).toHaveLength(1)
    expect(stdout).toMatch(/^ {2}For Claude Code: +claude mcp add --scope user tandem -- .+ mcp --data-dir /m)
    expect(await health(url)).toMatchObject({ status: 'ok' })
    const gone = ended(started)
    started.kill('SIGTERM')
    await gone
    await expect(health(url)).rejects.toThrow()
  }
)

test('serve --json prints nothing but its ready line, and a signal stops it', async () => {
  const started = run('run', '-s', 'serve', '--', '--port', '0', '--json', '--data-dir', world.dataDir)
  await until(() => stdout.includes('\n'), { what: 'the ready line' })
  const ready = JSON.parse(stdout) as { type: string; url: string; pid: number }
  expect(ready).toMatchObject({ type: 'ready' })
  expect(await health(ready.url)).toMatchObject({ status: 'ok' })
  const gone = ended(started)
  started.kill('SIGTERM')
  await gone
  expect(stdout.trim().split('\n')).toHaveLength(1)
  expect(() => process.kill(ready.pid, 0)).toThrow('ESRCH')
})
