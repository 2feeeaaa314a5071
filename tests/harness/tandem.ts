import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readEndpoint } from '../../src/core/data/discovery'
import { until } from './waiting'

// Starts the built product as a user would, in a world of its own: own home, data dir, project, tmux server.

export const ENTRY = fileURLToPath(new URL('../../out/main/tandem.js', import.meta.url))

export interface ReadyLine {
  type: 'ready'
  url: string
  openUrl: string
  mcpUrl: string
  wsUrl: string
  token: string
  pid: number
  version: string
}

export interface ApiAnswer {
  status: number
  // Answers are checked by the tests that ask for them.
  body: Record<string, never> & { [field: string]: unknown }
}

export interface World {
  root: string
  home: string
  dataDir: string
  project: string
  environment: NodeJS.ProcessEnv
  tmux(...args: string[]): string
  tmuxServerPid(): number
  /** Ends everything that belongs to this world, by id. */
  remove(): Promise<void>
}

export interface TandemOptions {
  /** Another build of the product. */
  entry?: string
  /** A command that runs the host as its last words, as `unshare` and `sh -c '…; exec "$@"' sh` do. */
  wrapper?: string[]
}

let worlds = 0

/** The worlds of this process that were not removed yet. */
const standing = new Set<World>()

export function makeWorld(extraEnvironment: NodeJS.ProcessEnv = {}): World {
  const root = mkdtempSync('/tmp/tandem-test-')
  const path = (name: string) => {
    mkdirSync(join(root, name), { mode: 0o700 })
    return join(root, name)
  }
  const socket = `tandem-test-${process.pid}-${++worlds}`
  const home = path('home')
  writeFileSync(join(home, '.bashrc'), "PS1='$ '\n")
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    SHELL: '/bin/bash',
    TMUX_TMPDIR: path('tmux'),
    TANDEM_TMUX_SOCKET: socket,
    // A host that is killed leaves its runtime dir to the next one; here it goes with the world.
    XDG_RUNTIME_DIR: path('run'),
    ...extraEnvironment
  }
  for (const name of ['TMUX', 'TMUX_PANE', 'XDG_CONFIG_HOME']) delete environment[name]
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', socket, ...args], {
      env: { ...environment, PATH: process.env.PATH },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe']
    })
  const world: World = {
    root,
    home,
    dataDir: path('data'),
    project: path('project'),
    environment,
    tmux,
    tmuxServerPid: () => Number(tmux('display-message', '-p', '#{pid}').trim()),
    remove: async () => {
      endTmuxServer(world)
      await endProcessesOf(root)
      // A shell that was just ended may be writing its history still.
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
      standing.delete(world)
    }
  }
  standing.add(world)
  return world
}

/** Removes what tests that failed before their end left standing. */
export async function removeWorlds(): Promise<void> {
  for (const world of standing) await world.remove()
}

// A test that ran out of time goes on after its world is gone, and would build parts of it again.
function requireStanding(world: World): void {
  if (!existsSync(world.root)) throw new Error(`the world ${world.root} was removed`)
}

function endTmuxServer(world: World): void {
  try {
    world.tmux('kill-server')
  } catch (failure) {
    if (!/no server running|No such file|error connecting|server exited/.test(String(failure))) throw failure
  }
}

/** The tmux server is killed, as a reboot does it: nothing starts before it is really gone. */
export async function killTmuxServer(world: World): Promise<void> {
  const pid = world.tmuxServerPid()
  world.tmux('kill-server')
  // Debian's tmux misses the end of a child at times, and then waits for it.
  endProcess(pid)
  await until(() => environmentOf(String(pid)) === '', { what: 'the end of tmux' })
}

/** Every process whose environment names this world's root, except us. */
export function processesOf(root: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => environmentOf(pid).includes(root))
    .map(Number)
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return '' // gone meanwhile, or not ours to read
  }
}

async function endProcessesOf(root: string): Promise<void> {
  for (let round = 0; round < 50; round++) {
    const pids = processesOf(root)
    if (pids.length === 0) return
    for (const pid of pids) endProcess(pid)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`processes of ${root} do not end: ${processesOf(root).join(', ')}`)
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (failure) {
    if (!(failure instanceof Error && 'code' in failure && failure.code === 'ESRCH')) throw failure
  }
}

/** A running `tandem serve`. */
export class Tandem {
  readonly world: World
  readonly ready: ReadyLine
  readonly #child: ChildProcess
  readonly #stderr: string[]

  private constructor(world: World, ready: ReadyLine, { child, stderr }: { child: ChildProcess; stderr: string[] }) {
    this.world = world
    this.ready = ready
    this.#child = child
    this.#stderr = stderr
  }

  static async start(
    world: World,
    flags: string[] = [],
    { wrapper = [], entry = ENTRY }: TandemOptions = {}
  ): Promise<Tandem> {
    requireStanding(world)
    if (!existsSync(entry)) throw new Error('out/main/tandem.js is missing: run `npm run build` first')
    const serve = [entry, 'serve', '--port', '0', '--json', '--data-dir', world.dataDir, ...flags]
    const [command = process.execPath, ...args] = [...wrapper, process.execPath, ...serve]
    const child = spawn(command, args, { env: world.environment, stdio: ['ignore', 'pipe', 'pipe'] })
    const stderr: string[] = []
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk.toString()))
    const ready = await firstLine(child, stderr)
    return new Tandem(world, JSON.parse(ready) as ReadyLine, { child, stderr })
  }

  /** The host that another program of the product runs in itself, found as every client finds it. */
  static async found(world: World, child: ChildProcess): Promise<Tandem> {
    const { url, pid, version, token } = await until(() => readEndpoint(world.dataDir), { what: 'a host' })
    const addresses = { url, openUrl: '', mcpUrl: `${url}/mcp`, wsUrl: `${url.replace('http:', 'ws:')}/ws` }
    const ready: ReadyLine = { type: 'ready', ...addresses, pid, version, token }
    const openUrl = await new Tandem(world, ready, { child, stderr: [] }).freshUrl()
    return new Tandem(world, { ...ready, openUrl }, { child, stderr: [] })
  }

  get stderr(): string {
    return this.#stderr.join('')
  }

  /** A fresh address that lets one browser in. */
  async freshUrl(): Promise<string> {
    return String((await this.api('POST', '/api/open-code', {})).body.openUrl)
  }

  async api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    const response = await fetch(`${this.ready.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.ready.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: (await response.json()) as ApiAnswer['body'] }
  }

  /** How the process ended; waits until it has. */
  async exit(): Promise<number | NodeJS.Signals | null> {
    const { exitCode, signalCode } = this.#child
    if (exitCode === null && signalCode === null) await new Promise((resolve) => this.#child.once('exit', resolve))
    return this.#child.exitCode ?? this.#child.signalCode
  }

  /** Sends a signal to the host process itself and waits until it is gone. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode
    const gone = new Promise<number | null>((resolve) => this.#child.once('exit', resolve))
    process.kill(this.ready.pid, signal)
    return gone
  }
}

function firstLine(child: ChildProcess, stderr: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.once('exit', (code) => reject(new Error(`tandem serve ended with ${code}: ${stderr.join('')}`)))
  })
}

/** Runs a `tandem` command to its end. */
export async function runTandem(
  world: World,
  args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  requireStanding(world)
  const child = spawn(process.execPath, [ENTRY, ...args], { env: world.environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}
