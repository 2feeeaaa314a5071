import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeWorld, runTandem, type World } from '../harness/tandem'
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

/** Stands in for Electron's binary: writes down how it was started, and ends with a code. */
function electronThatEnds(code: number): void {
  const folder = join(world.root, 'electron')
  const program =
    process.platform === 'darwin' ? join(folder, 'Electron.app/Contents/MacOS/Electron') : join(folder, 'electron')
  mkdirSync(dirname(program), { recursive: true })
  const script = `{ umask; echo "$TANDEM_DATA_DIR"; echo "$TANDEM_PORT"; echo "$ELECTRON_RUN_AS_NODE"; shift; echo "$@"; }`
  writeFileSync(program, `#!/bin/sh\n${script} > ${folder}/started\nexit ${code}\n`, { mode: 0o755 })
  Object.assign(world.environment, { ELECTRON_OVERRIDE_DIST_PATH: folder, DISPLAY: ':0' })
}
const startedWith = () => readFileSync(join(world.root, 'electron/started'), 'utf8').split('\n')

test('the window is opened with the person’s own umask, in the data directory that was named', async () => {
  electronThatEnds(0)
  const before = process.umask(0o027)
  const opened = await runTandem(world, [world.project, '--data-dir', world.dataDir]).finally(() =>
    process.umask(before)
  )
  expect(opened).toMatchObject({ code: 0, stderr: 'Opening the app.\n' })
  expect(startedWith()).toEqual(['0027', world.dataDir, '', '', world.project, ''])
  const usual = await runTandem(world, [])
  expect(usual.code).toBe(0)
  expect(startedWith().slice(1)).toEqual(['', '', '', '', ''])
})

test('a window that does not open is said to be so', async () => {
  electronThatEnds(1)
  const failed = await runTandem(world, [world.project, '--data-dir', world.dataDir])
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/could not be opened: it ended with 1\./) })
  rmSync(join(world.root, 'electron/electron'), { force: true })
  mkdirSync(join(world.root, 'electron/electron'))
  const unstarted = await runTandem(world, [world.project, '--data-dir', world.dataDir])
  expect(unstarted).toMatchObject({ code: 1, stderr: expect.stringContaining('could not be opened') })
})

test('npm start tells the window which data directory and port it was given, and leaves it the rest', async () => {
  electronThatEnds(0)
  const started = run('start', '--', '--data-dir', world.dataDir, '--port=0', '--disable-gpu', world.project)
  expect(await ended(started)).toBe(0)
  expect(startedWith().slice(1)).toEqual([world.dataDir, '0', '', `--disable-gpu ${world.project}`, ''])
})

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
