import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type {
  BackendListener,
  BackendTerminal,
  Presence,
  ProgramSpec,
  RestoredScreen
} from '../../src/core/backends/backend'
import type { Stamp } from '../../src/core/backends/stamp'
import { TmuxBackend, type TmuxBackendOptions } from '../../src/core/backends/tmux/tmuxBackend'
import { silentLog } from '../../src/core/log'
import { SETTINGS, type Settings } from '../../src/shared/settings'
import type { ExitStatus } from '../../src/shared/terminal'
import { until } from './waiting'

const run = promisify(execFile)
let count = 0

/** Hears everything a backend says about one terminal. */
export class Ear implements BackendListener {
  chunks: Buffer[] = []
  readonly screens: RestoredScreen[] = []
  readonly exits: ExitStatus[] = []
  readonly presences: Presence[] = []
  /** Bytes that came after the program was reported ended: there must be none. */
  late = 0

  output(bytes: Buffer): void {
    this.chunks.push(bytes)
    if (this.exits.length > 0) this.late += bytes.length
  }

  restored(screen: RestoredScreen): void {
    this.screens.push(screen)
    this.chunks = []
  }

  exited(status: ExitStatus): void {
    this.exits.push(status)
  }

  presence(presence: Presence): void {
    this.presences.push(presence)
  }

  get bytes(): Buffer {
    this.chunks = [Buffer.concat(this.chunks)]
    return this.chunks[0] ?? Buffer.alloc(0)
  }

  get text(): string {
    return this.bytes.toString('utf8')
  }

  async saw(text: string): Promise<void> {
    await until(() => this.text.includes(text), { what: `"${text}" in ${JSON.stringify(this.text.slice(-300))}` })
  }

  async ended(): Promise<ExitStatus> {
    return until(() => this.exits[0], { what: 'the exit' })
  }
}

export interface Running {
  terminal: BackendTerminal
  ear: Ear
  spec: ProgramSpec
}

/** A private tmux server with directories of its own; `close` leaves nothing behind, whatever happened. */
export class TmuxWorld {
  readonly socket = `tandem-test-${process.pid}-${count++}`
  readonly owner = randomUUID()
  readonly #directory = mkdtempSync('/tmp/tandem-tmux-')
  readonly #backends: TmuxBackend[] = []
  settings: Settings = defaultSettings()

  /** Where programs may write. */
  get scratch(): string {
    return this.directory('scratch')
  }

  directory(prefix: string): string {
    return mkdtempSync(join(this.#directory, `${prefix}-`))
  }

  options(changes: Partial<TmuxBackendOptions> = {}): TmuxBackendOptions {
    const runtimeDir = this.directory('run')
    chmodSync(runtimeDir, 0o700)
    return {
      socket: this.socket,
      owner: this.owner,
      runtimeDir: { path: runtimeDir },
      settings: () => this.settings,
      log: silentLog,
      environment: process.env,
      ...changes
    }
  }

  async backend(changes: Partial<TmuxBackendOptions> = {}): Promise<TmuxBackend> {
    const backend = new TmuxBackend(this.options(changes))
    this.#backends.push(backend)
    await backend.start()
    return backend
  }

  stamp(changes: Partial<Stamp> = {}): Stamp {
    return {
      owner: this.owner,
      id: randomUUID(),
      project: '/tmp',
      projectHash: '0'.repeat(64),
      session: 'default',
      name: 'Terminal 1',
      order: 0,
      created: new Date().toISOString(),
      program: '/bin/sh',
      cwd: '/tmp',
      ...changes
    }
  }

  spec(command: ProgramSpec['command'], changes: Partial<ProgramSpec> = {}): ProgramSpec {
    return {
      tmuxSession: `mc-test-${randomUUID().slice(0, 8)}`,
      stamp: this.stamp(),
      command,
      cwd: '/tmp',
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' },
      size: { rows: 24, cols: 80 },
      reservedOffset: 0,
      ...changes
    }
  }

  async run(
    backend: TmuxBackend,
    command: ProgramSpec['command'],
    changes: Partial<ProgramSpec> = {}
  ): Promise<Running> {
    const ear = new Ear()
    const spec = this.spec(command, changes)
    return { terminal: await backend.create(spec, ear), ear, spec }
  }

  shell(backend: TmuxBackend, script: string, changes: Partial<ProgramSpec> = {}): Promise<Running> {
    return this.run(backend, ['/bin/sh', '-c', script], changes)
  }

  /** A plain tmux command, as a person would type it. */
  async tmux(...args: string[]): Promise<string> {
    return (await run('tmux', ['-L', this.socket, ...args], { timeout: 10_000 })).stdout.trimEnd()
  }

  async serverPid(): Promise<number> {
    return Number(await this.tmux('display-message', '-p', '#{pid}'))
  }

  async close(): Promise<void> {
    for (const pid of this.processes()) signal(pid, 'SIGCONT')
    for (const backend of this.#backends) await backend.stop()
    await run('tmux', ['-L', this.socket, 'kill-server'], { timeout: 5_000 }).catch(() => undefined)
    for (const pid of this.processes()) signal(pid, 'SIGKILL')
    rmSync(`${process.env.TMUX_TMPDIR ?? '/tmp'}/tmux-${process.getuid?.()}/${this.socket}`, { force: true })
    rmSync(this.#directory, { recursive: true, force: true })
  }

  /** Every process whose command line names this world, and those that write into its FIFOs. */
  processes(): number[] {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    return pids.map(Number).filter((pid) => {
      const line = commandLine(pid)
      return line.includes(this.socket) || line.includes(this.#directory) || this.relays([pid]).length > 0
    })
  }

  controlClients(): number[] {
    return this.processes().filter((pid) => commandLine(pid).split('\0').includes('-C'))
  }

  /** The halves of each watchdog share its words; `leader` is the one that the host started. */
  watchdogs(): { pid: number; leader: number }[] {
    const isHalf = (pid: number) => commandLine(pid).split('\0').includes('tandem-watchdog')
    const halves = this.processes().filter((pid) => isHalf(pid) && isRunning(pid))
    return halves.map((pid) => ({ pid, leader: groupOf(pid) }))
  }

  relays(among = this.processes()): number[] {
    return among.filter((pid) => outputOf(pid).startsWith(this.#directory))
  }
}

export function defaultSettings(): Settings {
  // Every setting has a fallback of its own type.
  return Object.fromEntries(Object.entries(SETTINGS).map(([name, { fallback }]) => [name, fallback])) as Settings
}

export function isRunning(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  return stat !== '' && !/\) [ZX] /.test(stat)
}

function groupOf(pid: number): number {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function outputOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/1`)
  } catch {
    return ''
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Gone already.
  }
}
