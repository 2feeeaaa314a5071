import { AppError } from '../../../shared/errors'
import type { Logger } from '../../log'
import { isAlive, type ProcessTable, signalProcess } from '../processTable'
import { COMMAND_TIMEOUT_MS, ControlClient, type Reply, unresponsive } from './controlClient'
import type { Sequence } from './quote'
import { notAnswering, type TmuxServer } from './tmuxServer'

const FIRST_RETRY_MS = 50
const MAX_RETRY_MS = 2_000
const CONNECT_TRIES = 3

/** tmux understood the command and said no. */
export class TmuxRefusal extends AppError {
  constructor(readonly refusal: string) {
    super('IO_ERROR', `tmux refused: "${refusal}"`)
  }
}

export interface ControlOptions {
  server: TmuxServer
  processes: ProcessTable
  log: Logger
  /** Something about the sessions changed. */
  onNotification(line: string): void
  /** The server we knew is proved gone, and every program in it. */
  onServerGone(): void
  onConnected(): void
}

/** A way to ask tmux. `Control` is one; `bound` gives one that speaks to the server of now and to no later one. */
export interface Line {
  /** What the sequence answered; TMUX_UNRESPONSIVE when that cannot be known. */
  ask(commands: Sequence): Promise<Reply>
  /** The same, where a refusal is a failure. */
  run(commands: Sequence): Promise<string[]>
}

/** The one line to tmux: connects, stays connected, and never takes silence for an answer. */
export class Control implements Line {
  readonly #options: ControlOptions
  #client: ControlClient | undefined
  #connecting: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #retryMs = FIRST_RETRY_MS
  #stopped = false
  #servers = 0
  #globalNames: string[] = []

  constructor(options: ControlOptions) {
    this.#options = options
  }

  /** Names in tmux's own environment, which every program would inherit. */
  get globalNames(): readonly string[] {
    return this.#globalNames
  }

  get isConnected(): boolean {
    return this.#client !== undefined
  }

  /** Pane ids begin anew in a new server: what belongs to this one must never be said to another. */
  bound(): Line {
    const server = this.#servers
    const ask = async (commands: Sequence) => {
      const client = this.#client ?? (await this.#connected())
      if (server !== this.#servers) throw new AppError('SESSION_ERROR', 'The tmux server of this terminal is gone')
      return client.run(commands)
    }
    return { ask, run: async (commands) => accepted(await ask(commands)) }
  }

  connect(): Promise<void> {
    this.#stopped = false
    return this.#connectOnce()
  }

  #connectOnce(): Promise<void> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async ask(commands: Sequence): Promise<Reply> {
    const client = this.#client ?? (await this.#connected())
    return client.run(commands)
  }

  async run(commands: Sequence): Promise<string[]> {
    return accepted(await this.ask(commands))
  }

  /** From now on a closed connection is no trouble, and none is opened. */
  expectEnd(): void {
    this.#stopped = true
    clearTimeout(this.#retry)
  }

  stop(): void {
    this.expectEnd()
    this.#client?.end()
    this.#client = undefined
  }

  async #connected(): Promise<ControlClient> {
    if (!this.#client && !this.#stopped) await withinTime(this.#connectOnce())
    if (!this.#client) throw unresponsive('is not connected')
    return this.#client
  }

  async #connect(): Promise<void> {
    const { server } = this.#options
    if (await server.isProvedGone()) {
      this.#servers += 1
      this.#options.onServerGone()
    }
    await server.ensureRunning()
    for (let attempt = 1; !(await this.#attempt()); attempt += 1) {
      if (attempt === CONNECT_TRIES) throw notAnswering(server.identity?.pid)
      await server.recreateSocket()
      await new Promise((resolve) => setTimeout(resolve, MAX_RETRY_MS / 10))
    }
    this.#retryMs = FIRST_RETRY_MS
    this.#options.onConnected()
  }

  // False: tmux turned the client away, as it does where there is no socket.
  async #attempt(): Promise<boolean> {
    if (!(await this.#options.server.answers())) return false
    let closed = false
    const client = new ControlClient({
      child: this.#options.server.connect(),
      onNotification: (line) => this.#options.onNotification(line),
      onClosed: () => {
        closed = true
        if (this.#client === client) this.#lost()
      }
    })
    try {
      await this.#greet(client)
    } catch (failure) {
      client.end()
      if (closed && AppError.from(failure).code === 'TMUX_UNRESPONSIVE') return false
      throw failure
    }
    // It has ended after its last answer, and nobody would hear of it any more.
    if (closed) return false
    if (this.#stopped) client.end()
    else this.#client = client
    return true
  }

  async #greet(client: ControlClient): Promise<void> {
    const { server } = this.#options
    server.writeConfig()
    await client.run([['source-file', '-q', server.configPath]])
    const [pid, socketPath = ''] = (await client.run([['display-message', '-p', '#{pid} #{socket_path}']])).lines
      .join()
      .split(/ (.*)/)
    await server.remember(Number(pid), socketPath)
    const { lines } = await client.run([['show-environment', '-g']])
    this.#globalNames = lines.flatMap((line) => /^-?([A-Za-z_][A-Za-z0-9_]*)/.exec(line)?.[1] ?? [])
    await this.#endStaleClients(client)
  }

  // Only one host owns this server, so any other client in our control session belonged to one that died.
  async #endStaleClients(client: ControlClient): Promise<void> {
    const { server, processes } = this.#options
    const target = `=${server.controlSession}`
    const { lines } = await client.run([['list-clients', '-t', target, '-F', 'client #{client_pid}']])
    for (const line of lines) {
      const row = await processes.find(Number(line.split(' ')[1]))
      if (!row || row.pid === client.pid || !(await server.isOnOurSocket(row.pid))) continue
      await signalProcess(processes, row, 'SIGTERM')
      await new Promise((resolve) => setTimeout(resolve, FIRST_RETRY_MS))
      if (await isAlive(processes, row)) await signalProcess(processes, row, 'SIGKILL')
    }
  }

  #lost(): void {
    this.#client = undefined
    if (this.#stopped) return
    this.#options.log.warn({}, 'the connection to tmux closed; connecting again')
    void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    try {
      await this.#connectOnce()
    } catch (failure) {
      if (this.#stopped) return
      this.#options.log.warn({ err: failure, retryMs: this.#retryMs }, 'tmux cannot be reached')
      this.#retry = setTimeout(() => void this.#reconnect(), this.#retryMs)
      this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS)
    }
  }
}

function withinTime(work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unresponsive('cannot be reached')), COMMAND_TIMEOUT_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function accepted({ lines, refusal }: Reply): string[] {
  if (refusal !== undefined) throw new TmuxRefusal(refusal)
  return lines
}
