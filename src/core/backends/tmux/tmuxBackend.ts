import { AppError } from '../../../shared/errors'
import type { Settings } from '../../../shared/settings'
import type { Logger } from '../../log'
import type { Backend, BackendListener, BackendTerminal, LivingTerminal, ProgramSpec } from '../backend'
import { type ProcessIdentity, systemProcesses } from '../processTable'
import { Serial } from '../serial'
import { SmallPrograms } from '../smallPrograms'
import { Control } from './control'
import { createSequence } from './createSequence'
import { openEventFifo } from './eventFifo'
import type { Fifo } from './fifo'
import { listPanes } from './listPanes'
import { OutputPipes } from './outputPipes'
import { PaneWatch } from './paneWatch'
import { RuntimeFiles } from './runtimeFiles'
import { serverEnvironment } from './serverEnvironment'
import type { Pane, TmuxParts } from './tmuxParts'
import { TmuxServer } from './tmuxServer'
import { TmuxTerminal } from './tmuxTerminal'
import { startWatchdog } from './watchdog'

const OWNER = /^[A-Za-z0-9_-]{1,128}$/

export interface TmuxBackendOptions {
  /** Name of the private server's socket. */
  socket: string
  owner: string
  /** An existing private directory with a short path of safe characters. */
  runtimeDir: { path: string }
  settings: () => Settings
  log: Logger
  environment: NodeJS.ProcessEnv
  /** Umask of the programs; absent: the one this process has now. */
  userUmask?: number
}

/** Programs in a private tmux server: they outlive this host, and the next one takes them up. */
export class TmuxBackend implements Backend {
  readonly kind = 'tmux'
  readonly #options: TmuxBackendOptions
  readonly #server: TmuxServer
  readonly #parts: TmuxParts
  readonly #terminals = new Set<TmuxTerminal>()
  #starting: Promise<void> | undefined
  #looking: ReturnType<typeof listPanes> | undefined
  #unreadable: readonly string[] = []
  #isStopped = false
  #events: Fifo | undefined
  #endWatchdog: (() => Promise<void>) | undefined

  constructor(options: TmuxBackendOptions) {
    if (!OWNER.test(options.owner)) throw new RangeError(`"${options.owner}" is no owner id`)
    const { owner, log } = options
    const files = new RuntimeFiles(options.runtimeDir.path)
    const processes = systemProcesses()
    const server = privateServer(options, files)
    const control = new Control({
      server,
      processes,
      log,
      onNotification: (line) => line.startsWith('%sessions-changed') && watch.lookNow(),
      onServerGone: () => this.#serverGone(),
      onConnected: () => watch.lookNow()
    })
    const watch = new PaneWatch({ control, owner, log })
    const programs = new SmallPrograms()
    const pipes = new OutputPipes({ files, processes, programs, log })
    this.#options = options
    this.#server = server
    const eventPath = () => files.named('events')
    const resyncs = new Serial()
    this.#parts = { owner, control, files, watch, processes, programs, pipes, log, eventPath, resyncs }
  }

  start(): Promise<void> {
    this.#isStopped = false
    this.#starting ??= this.#start().catch((failure: unknown) => {
      this.#starting = undefined
      throw failure
    })
    return this.#starting
  }

  async create(spec: ProgramSpec, listener: BackendListener): Promise<BackendTerminal> {
    await this.#ready()
    const { term, scrollback_limit: scrollback } = this.#options.settings()
    const parts = this.#parts
    const pipe = await parts.pipes.open((bytes) => listener.output(bytes))
    try {
      const terminal = this.#terminal(await createSequence(spec, { parts, pipe, term, scrollback }), listener)
      await terminal.begin(pipe)
      return terminal
    } catch (failure) {
      parts.pipes.close(pipe)
      throw failure
    }
  }

  async list(): Promise<LivingTerminal[]> {
    await this.#ready()
    const { panes, damaged } = await listPanes(this.#parts)
    this.#unreadable = damaged
    return panes.map(({ living }) => living)
  }

  unreadable(): readonly string[] {
    return this.#unreadable
  }

  keeper(): ProcessIdentity | undefined {
    return this.#server.identity
  }

  async adopt(living: LivingTerminal, listener: BackendListener): Promise<BackendTerminal> {
    await this.#ready()
    const pane = (await this.#panes()).panes.find((found) => found.living.stamp.id === living.stamp.id)
    if (!pane) throw new AppError('SESSION_ERROR', `The terminal "${living.tmuxSession}" is gone from tmux`)
    const terminal = this.#terminal(pane, listener)
    try {
      await terminal.adopt()
      return terminal
    } catch (failure) {
      this.#terminals.delete(terminal)
      throw failure
    }
  }

  /** Programs live on; nothing else of ours does, and the server only while it holds terminals. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#starting = undefined
    this.#parts.watch.stop()
    if (this.#parts.control.isConnected) await this.#letGo()
    this.#parts.control.stop()
    await this.#endWatchdog?.()
    this.#endWatchdog = undefined
    this.#events?.close()
    this.#events = undefined
    await this.#parts.pipes.stop()
    await this.#parts.programs.stop()
  }

  // Many are taken up at once, each of them listed before: one more look serves all who ask while it is under way.
  #panes(): ReturnType<typeof listPanes> {
    this.#looking ??= listPanes(this.#parts).finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  // A tmux that was missing at the start may be there by now; a backend that was stopped stays so.
  #ready(): Promise<void> {
    if (!this.#isStopped) return this.start()
    throw new AppError('TMUX_UNAVAILABLE', 'The host is stopping', 'Start it again.')
  }

  async #start(): Promise<void> {
    const { socket, owner, log } = this.#options
    const { control, files, pipes, programs, watch, eventPath } = this.#parts
    await control.connect()
    this.#events ??= await openEventFifo(eventPath(), programs, {
      died: () => watch.lookNow(),
      relay: (path, pid) => pipes.relay(path, pid)
    })
    this.#endWatchdog ??= startWatchdog({
      heartbeatPath: files.named('heartbeat'),
      tmux: this.#server.binary,
      environment: this.#server.environment,
      socket,
      owner,
      log
    })
    pipes.prepare()
    watch.start()
  }

  #terminal(pane: Pane, listener: BackendListener): TmuxTerminal {
    const onOver = () => void this.#terminals.delete(terminal)
    const terminal: TmuxTerminal = new TmuxTerminal(pane, { parts: this.#parts, listener, onOver })
    this.#terminals.add(terminal)
    return terminal
  }

  #serverGone(): void {
    this.#options.log.error({}, 'the tmux server is gone, and every program in it')
    for (const pane of this.#parts.watch.panes) pane.missing()
  }

  async #letGo(): Promise<void> {
    try {
      await Promise.all([...this.#terminals].map((terminal) => terminal.detach()))
      await this.#leaveServer()
    } catch (failure) {
      if (!AppError.from(failure).code.startsWith('TMUX_')) throw failure
      this.#options.log.warn({ err: failure }, 'tmux did not answer while stopping; the next start cleans up')
    }
  }

  async #leaveServer(): Promise<void> {
    const { control } = this.#parts
    const ours = this.#server.controlSession
    const sessions = await control.run([['list-sessions', '-F', 'session #{session_name}']])
    const isLast = sessions.every((line) => line === `session ${ours}`)
    control.expectEnd()
    // The answer is the end of the connection.
    await control.ask([isLast ? ['kill-server'] : ['kill-session', '-t', `=${ours}`]]).catch(() => undefined)
    if (isLast) await this.#server.ended()
  }
}

function privateServer(options: TmuxBackendOptions, files: RuntimeFiles): TmuxServer {
  const { owner, socket, settings, log, environment, userUmask } = options
  return new TmuxServer({
    socket,
    label: owner.slice(0, 8),
    configPath: files.named('tmux.conf'),
    settings,
    environment: serverEnvironment(environment),
    userUmask: userUmask ?? process.umask(),
    processes: systemProcesses(),
    log
  })
}
