import type { Actor, BackendKind, ExitStatus, Size, TerminalId, TerminalState } from '../../shared/terminal'
import { isUsableSize } from '../../shared/terminal'
import type { BackendListener, BackendTerminal, Presence, RememberedModes, RestoredScreen } from '../backends/backend'
import type { Stamp } from '../backends/stamp'
import type { Logger } from '../log'
import type { Emulation } from './emulation'
import { LatestSize } from './latestSize'
import { ModesKeeper } from './modes'
import { OffsetReservation } from './offsetReservation'
import { type LogLimits, OutputLog } from './outputLog'
import { Screen } from './screen'
import { processExited, sessionError, unusableSize } from './terminalErrors'
import { type Sink, Viewer, type ViewOptions } from './viewer'
import { WholeSequences } from './wholeSequences'

export interface TerminalOptions {
  id: TerminalId
  tmuxSession: string
  backendKind: BackendKind
  size: Size
  /** Where the log begins: 0 for a new program, the reserved offset for one that was found alive. */
  beginsAt: number
  reservedOffset: number
  modes: RememberedModes
  scrollback: number
  logLimits: () => LogLimits
  emulation: Emulation
  log: Logger
}

/** One program, whoever looks at it: its bytes go to the log, the screen and every viewer; keys go in one way. */
export class Terminal {
  readonly id: TerminalId
  readonly tmuxSession: string
  readonly backendKind: BackendKind
  readonly log: OutputLog
  readonly screen: Screen
  readonly #logger: Logger
  readonly #sequences = new WholeSequences()
  readonly #viewers = new Set<Viewer>()
  readonly #listeners = new Set<() => void>()
  readonly #reservation: OffsetReservation
  readonly #sizes: LatestSize
  readonly #modes: ModesKeeper
  #backend: BackendTerminal | undefined
  #presence: Presence = 'ok'
  #exit: ExitStatus | null = null
  #ended = false
  #size: Size

  constructor(options: TerminalOptions) {
    const { id, tmuxSession, backendKind, log } = options
    this.id = id
    this.tmuxSession = tmuxSession
    this.backendKind = backendKind
    this.#logger = log
    this.#size = options.size
    this.log = new OutputLog(options.logLimits, options.beginsAt)
    this.screen = this.#newScreen(options)
    this.#sizes = new LatestSize((size) => this.#applySize(size))
    this.#modes = new ModesKeeper(options.modes, {
      keep: async (modes) => this.#living().remember({ modes }),
      failed: (thrown) => this.#failed('remember modes', thrown)
    })
    const remember = (reservedOffset: number): Promise<void> => this.#living().remember({ reservedOffset })
    this.#reservation = new OffsetReservation(options.reservedOffset, { remember, log })
  }

  get state(): TerminalState {
    if (this.#ended) return 'exited'
    return this.#presence === 'ok' ? 'running' : this.#presence
  }

  get exit(): ExitStatus | null {
    return this.#exit
  }

  get pid(): number | null {
    return this.#backend?.pid ?? null
  }

  get size(): Size {
    return this.#size
  }

  get title(): string {
    return this.screen.title
  }

  /** The ear given to the backend. */
  get listener(): BackendListener {
    return {
      output: (bytes) => this.#output(this.#sequences.push(bytes)),
      restored: (screen) => this.#restored(screen),
      exited: (status) => this.#exited(status),
      presence: (presence) => this.#setPresence(presence)
    }
  }

  /** The program is there. Resolves when the offsets it will use are set aside with it. */
  async attach(backend: BackendTerminal): Promise<void> {
    this.#backend = backend
    await this.#reservation.reached(this.log.end)
  }

  /** The one way in, whoever types. */
  async write(bytes: Uint8Array, _actor: Actor): Promise<void> {
    await this.#living().write(bytes)
  }

  async resize(size: Size): Promise<void> {
    if (!isUsableSize(size)) throw unusableSize(size)
    await this.#sizes.want(size)
  }

  /** A viewer; with a size it becomes the one last active, whose size the terminal has. */
  view(sink: Sink, options: ViewOptions = {}): Viewer {
    const viewer = new Viewer(this.#viewed(), sink, options)
    this.#viewers.add(viewer)
    if (this.#ended) viewer.end(this.#exit)
    return viewer
  }

  async restamp(stamp: Stamp): Promise<void> {
    await this.#attached().restamp(stamp)
  }

  async currentDirectory(): Promise<string | undefined> {
    return this.#ended ? undefined : await this.#living().currentDirectory()
  }

  /** Ends every process of the terminal, then the terminal itself. */
  async kill(options?: { force?: boolean }): Promise<void> {
    await this.#attached().kill(options)
    this.#end()
    this.#letGo()
  }

  /** Stops listening; the program lives on where its backend can keep it. */
  async detach(): Promise<void> {
    for (const viewer of this.#viewers) viewer.close()
    if (this.state === 'running') await this.#modes.settle()
    this.#letGo()
    await this.#backend?.detach()
  }

  /** State, exit, title or size changed: look again. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #newScreen({ size, scrollback, beginsAt, emulation, log, backendKind }: TerminalOptions): Screen {
    return new Screen({
      size,
      scrollback,
      offset: beginsAt,
      emulation,
      log,
      // tmux answers for its own programs; a second answer would be typed into the shell.
      answer: backendKind === 'pty' ? (data) => this.#answer(data) : undefined,
      onTitle: (title) => this.#titleChanged(title),
      onModes: (modes) => this.#modes.changed(modes),
      onBehind: () => void this.#attempt('resync', () => this.#living().resync(() => this.screen.caughtUp()))
    })
  }

  #viewed() {
    const terminal = this
    return {
      screen: this.screen,
      log: this.log,
      logger: this.#logger,
      get size(): Size {
        return terminal.#size
      },
      write: (bytes: Uint8Array, actor: Actor) => this.write(bytes, actor),
      takeSize: (size: Size) => void this.#attempt('resize', () => this.#sizes.want(size)),
      left: (viewer: Viewer) => this.#viewers.delete(viewer)
    }
  }

  #output(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.log.append(bytes)
    for (const viewer of this.#viewers) viewer.push(bytes)
    this.screen.push(bytes)
    void this.#reservation.reached(this.log.end)
  }

  #restored(restored: RestoredScreen): void {
    const isFirst = this.log.end === this.log.start && !this.#backend
    if (!isFirst) this.log.gap()
    this.#size = restored.size
    this.screen.restore(restored, { offset: this.log.end, modes: this.#modes.modes })
    for (const viewer of this.#viewers) viewer.resync()
    this.#output(this.#sequences.start(restored.pending))
    this.#changed()
  }

  #exited(status: ExitStatus): void {
    this.#exit = status
    this.#end()
  }

  #end(): void {
    if (this.#ended) return
    this.#output(this.#sequences.flush())
    this.#ended = true
    this.#modes.forget()
    for (const viewer of this.#viewers) viewer.end(this.#exit)
    this.#changed()
  }

  #setPresence(presence: Presence): void {
    if (presence === this.#presence) return
    this.#presence = presence
    this.#changed()
  }

  async #applySize(size: Size): Promise<void> {
    if (size.rows === this.#size.rows && size.cols === this.#size.cols) return
    if (!this.#ended) await this.#living().resize(size)
    this.#size = size
    this.screen.resize(size)
    for (const viewer of this.#viewers) viewer.announce({ resized: size })
    this.#changed()
  }

  #titleChanged(title: string): void {
    for (const viewer of this.#viewers) viewer.announce({ title })
    this.#changed()
  }

  #answer(data: string): void {
    void this.#attempt('answer', () => this.#living().write(Buffer.from(data)))
  }

  /** For work that nobody waits for: a failure is the terminal's own trouble and shows in its state. */
  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (thrown) {
      this.#failed(what, thrown)
    }
  }

  #failed(what: string, thrown: unknown): void {
    this.#logger.warn({ err: thrown, terminal: this.id }, `${what} failed`)
  }

  #living(): BackendTerminal {
    if (this.#ended) throw processExited(this.#exit)
    if (this.#presence === 'lost') throw sessionError(this.id, 'is lost: its program is gone without an exit')
    if (this.#presence === 'unknown') throw sessionError(this.id, 'does not answer now')
    return this.#attached()
  }

  #attached(): BackendTerminal {
    if (!this.#backend) throw sessionError(this.id, 'is not started yet')
    return this.#backend
  }

  #letGo(): void {
    this.#modes.forget()
    this.screen.dispose()
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
