import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { AppError } from '../../../shared/errors'
import type { Settings } from '../../../shared/settings'
import type { Logger } from '../../log'
import { isAlive, type ProcessIdentity, type ProcessRow, type ProcessTable, signalProcess } from '../processTable'
import { COMMAND_TIMEOUT_MS, unresponsive } from './controlClient'
import { serverConfig } from './serverConfig'
import { findTmux, type TmuxBinary } from './tmuxBinary'

export interface TmuxServerOptions {
  socket: string
  /** First characters of the owner id; part of the server's own command line, so that it can be told from others. */
  label: string
  configPath: string
  settings: () => Settings
  environment: Readonly<Record<string, string>>
  userUmask: number
  processes: ProcessTable
  log: Logger
}

/** Our private tmux server as a process: found, started once, called back when its socket was removed. */
export class TmuxServer {
  readonly configPath: string
  readonly environment: Readonly<Record<string, string>>
  readonly #options: TmuxServerOptions
  #binary: TmuxBinary | undefined
  #identity: ProcessIdentity | undefined
  #socketPath = ''

  constructor(options: TmuxServerOptions) {
    this.#options = options
    this.configPath = options.configPath
    this.environment = options.environment
  }

  get binary(): string {
    return this.#binary?.path ?? 'tmux'
  }

  get controlSession(): string {
    return `tandem-control-${this.#options.label}`
  }

  /** Throws TMUX_UNAVAILABLE when there is no usable tmux; otherwise a server of ours runs afterwards. */
  async ensureRunning(): Promise<void> {
    this.#binary ??= await findTmux(this.environment)
    if (this.#identity && (await isAlive(this.#options.processes, this.#identity))) return
    this.#identity = await this.#find()
    // A server that was just started says who it is when we connect.
    if (!this.#identity) await this.#start()
  }

  /** The server we are connected to, by its own word. Another one that answers in its place proves nothing. */
  async remember(pid: number, socketPath: string): Promise<void> {
    const { processes } = this.#options
    const known = this.#identity
    if (known && known.pid !== pid && (await isAlive(processes, known))) throw notAnswering(known.pid)
    const row = await processes.find(pid)
    if (row) this.#identity = { pid, startTime: row.startTime }
    this.#socketPath = socketPath
    makePrivate(socketPath)
  }

  /** After kill-server: waits for its end and takes away the socket it leaves behind. */
  async ended(): Promise<void> {
    for (const end = performance.now() + COMMAND_TIMEOUT_MS; performance.now() < end; ) {
      if (await this.isProvedGone()) {
        if (isAbsolute(this.#socketPath)) rmSync(this.#socketPath, { force: true })
        this.#identity = undefined
        return
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  async isProvedGone(): Promise<boolean> {
    return this.#identity !== undefined && !(await isAlive(this.#options.processes, this.#identity))
  }

  get identity(): ProcessIdentity | undefined {
    return this.#identity
  }

  /** A living server whose socket was deleted makes it anew on this signal. */
  async recreateSocket(): Promise<void> {
    if (this.#identity) await signalProcess(this.#options.processes, this.#identity, 'SIGUSR1')
  }

  /**
   * Whether it lets clients in; throws when it does not answer. Asked with a client that can be given up: a server that
   * hangs ends, with every program in it, when it comes back to control clients that were killed while they waited.
   */
  answers(): Promise<boolean> {
    const question = [...this.#address(), '-N', 'display-message', '-p', '']
    return succeeded(spawn(this.binary, question, { env: this.environment, cwd: '/', stdio: 'ignore', detached: true }))
  }

  /** A control client; `-N`: it never starts a second server beside one that lost its socket. */
  connect(): ChildProcessWithoutNullStreams {
    const session = ['new-session', '-A', '-s', this.controlSession, 'exec tail -f /dev/null']
    // In a session of its own: a Ctrl+C meant for the host must not cut its line to tmux first.
    const options = { env: this.environment, cwd: '/', detached: true }
    return withStreams(spawn(this.binary, [...this.#address(), '-N', '-C', ...session], options))
  }

  writeConfig(): void {
    writeFileSync(this.configPath, serverConfig(this.#options.settings()), { mode: 0o600 })
  }

  /** Whether a process is a tmux client or server on our socket. */
  async isOnOurSocket(pid: number): Promise<boolean> {
    const words = await this.#options.processes.commandLine(pid)
    return words.some((word, index) => word === '-L' && words[index + 1] === this.#options.socket)
  }

  #address(): string[] {
    return ['-u', '-L', this.#options.socket]
  }

  // What the server forks looks like it until it runs something else; the server leads a session and is the oldest.
  async #find(): Promise<ProcessIdentity | undefined> {
    const candidates: ProcessRow[] = []
    for (const row of await this.#options.processes.all()) {
      const isPossible = row.uid === process.getuid?.() && [0, row.pid].includes(row.sessionId)
      if (isPossible && (await this.#isServer(row.pid))) candidates.push(row)
    }
    const [oldest] = candidates.sort((one, other) => Number(one.startTime) - Number(other.startTime) || 0)
    return oldest
  }

  async #isServer(pid: number): Promise<boolean> {
    const words = await this.#options.processes.commandLine(pid)
    if (!words.includes('start-server') || words[words.indexOf('@tandem_server') + 1] !== this.#options.label)
      return false
    return this.isOnOurSocket(pid)
  }

  // Programs in terminals inherit the server's umask, which must be the person's, not the host's own.
  #start(): Promise<void> {
    this.writeConfig()
    const command = ['start-server', ';', 'set-option', '-s', '@tandem_server', this.#options.label]
    const hostUmask = process.umask(this.#options.userUmask)
    try {
      const args = [...this.#address(), '-f', this.configPath, ...command]
      return started(spawn(this.binary, args, { env: this.environment, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] }))
    } finally {
      process.umask(hostUmask)
    }
  }
}

/** Without descriptors to spare a child has no streams, and says why a moment later with an error that someone must hear. */
function withStreams(child: ChildProcessWithoutNullStreams): ChildProcessWithoutNullStreams {
  // What the typings promise holds only where the child could be started.
  const { stdin }: { stdin: unknown } = child
  if (stdin) return child
  child.once('error', () => undefined)
  throw unresponsive('was not asked: this host has no file descriptors left')
}

// tmux lets the group in and trusts the folder around it; the socket is shut by itself too.
function makePrivate(socketPath: string): void {
  const found = isAbsolute(socketPath) ? statSync(socketPath, { throwIfNoEntry: false }) : undefined
  if (found && (found.mode & 0o077) !== 0) chmodSync(socketPath, found.mode & 0o700)
}

function started(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    let complaint = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint += chunk.toString('utf8')
    })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(unresponsive('did not start in time'))
    }, COMMAND_TIMEOUT_MS)
    const settle = (code: number | null) => {
      clearTimeout(timer)
      if (code === 0) resolve()
      else reject(startFailed(complaint))
    }
    child.on('error', (failure) => {
      complaint += failure.message
      settle(-1)
    })
    child.on('exit', settle)
  })
}

function succeeded(child: ReturnType<typeof spawn>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(unresponsive(`did not answer within ${COMMAND_TIMEOUT_MS} ms`))
    }, COMMAND_TIMEOUT_MS)
    child.once('error', () => {
      clearTimeout(timer)
      reject(unresponsive('was not asked: its program could not be started'))
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

/** A server of ours lives and is out of reach: an error, and never "no terminals". */
export function notAnswering(pid: number | undefined): AppError {
  return new AppError(
    'TMUX_UNAVAILABLE',
    `The tmux server ${pid === undefined ? '' : `with pid ${pid} `}runs but cannot be reached`,
    'Start Tandem with the same TMUX_TMPDIR as before; nothing was removed.'
  )
}

function startFailed(complaint: string): AppError {
  return new AppError(
    'TMUX_UNAVAILABLE',
    `tmux could not be started: "${complaint.trim()}"`,
    'Check that its socket directory (TMUX_TMPDIR or /tmp) can be written and belongs to you.'
  )
}
