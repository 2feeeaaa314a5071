import type { Actor, BackendKind, ExitStatus, Size, TerminalId, TerminalState } from '../../shared/terminal'
import type { BackendListener, BackendTerminal, ForegroundProgram, Presence, RestoredScreen } from '../backends/backend'
import type { Stamp } from '../backends/stamp'
import type { Logger } from '../log'
import { Answers } from './answers'
import type { CommandRecords } from './commandRecords'
import type { Control } from './control'
import { LatestSize } from './latestSize'
import { ModesKeeper } from './modes'
import { OffsetReservation } from './offsetReservation'
import { OutputLog } from './outputLog'
import { Screen } from './screen'
import { ShellSide } from './shellSide'
import type { ShellState } from './shellState'
import { requireUsable } from './terminalErrors'
import type { TerminalOptions } from './terminalOptions'
import { TerminalProgram } from './terminalProgram'
import { type Sink, Viewer, type ViewOptions } from './viewer'
import { WholeSequences } from './wholeSequences'

/** `from`: the offset of the first byte. */
export type OutputListener = (bytes: Buffer, from: number) => void

/** One program, whoever looks at it: its bytes go to the log, the screen and every viewer; keys go in one way. */
export class Terminal {
  readonly id: TerminalId
  readonly tmuxSession: string
  readonly backendKind: BackendKind
  readonly log: OutputLog
  readonly screen: Screen
  readonly control: Control
  readonly shell: ShellState
  readonly commands: CommandRecords
  readonly #logger: Logger
  readonly #sequences = new WholeSequences()
  readonly #viewers = new Set<Viewer>()
  readonly #listeners = new Set<() => void>()
  readonly #outputListeners = new Set<OutputListener>()
  readonly #reservation: OffsetReservation
  readonly #sizes: LatestSize
  readonly #modes: ModesKeeper
  readonly #shell: ShellSide
  readonly #program: TerminalProgram
  readonly #answers = new Answers((bytes) => this.#program.living().write(bytes))
  #size: Size

  constructor(options: TerminalOptions) {
    const { id, tmuxSession, backendKind, log } = options
    this.id = id
    this.tmuxSession = tmuxSession
    this.backendKind = backendKind
    this.#logger = log
    this.#program = new TerminalProgram(id)
    this.#size = options.size
    this.log = new OutputLog(options.logLimits, options.beginsAt)
    this.screen = this.#newScreen(options)
    this.#sizes = new LatestSize((size) => this.#applySize(size))
    this.#modes = new ModesKeeper(options.modes, {
      keep: (modes) => this.#program.remember({ modes }),
      failed: (thrown) => this.#failed('remember modes', thrown)
    })
    const remember = (reservedOffset: number): Promise<void> => this.#program.remember({ reservedOffset })
    this.#reservation = new OffsetReservation(options.reservedOffset, { remember, log })
    this.#shell = new ShellSide(options, {
      pass: (bytes) => this.#output(bytes),
      offset: () => this.log.end,
      read: (from, maxBytes) => this.log.read(from, maxBytes).bytes,
      screen: () => this.screen.text(),
      program: () => this.#program.living(),
      attempt: (what, work) => this.#attempt(what, work),
      log
    })
    this.shell = this.#shell.watch.state
    this.commands = this.#shell.watch.commands
    this.control = this.#shell.keyboard.control
  }

  get state(): TerminalState {
    return this.#program.state
  }

  get exit(): ExitStatus | null {
    return this.#program.exit
  }

  get pid(): number | null {
    return this.#program.backend?.pid ?? null
  }

  get size(): Size {
    return this.#size
  }

  /** The commands that anyone entered, oldest first: as the shell says, else as they were typed and shown. */
  get entered(): string[] {
    return this.#shell.entered
  }

  get title(): string {
    return this.screen.title
  }

  /** The ear given to the backend. */
  get listener(): BackendListener {
    return {
      output: (bytes) => this.#shell.push(this.#sequences.push(bytes)),
      restored: (screen) => this.#restored(screen),
      exited: (status) => this.#exited(status),
      presence: (presence) => this.#setPresence(presence)
    }
  }

  /** The program is there. Resolves when the offsets it will use are set aside with it. */
  async attach(backend: BackendTerminal): Promise<void> {
    this.#program.backend = backend
    await this.#reservation.reached(this.log.end)
    await this.#shell.begun()
  }

  /** The one way in, whoever types: an agent waits its turn and is refused while a person has the keyboard. */
  async write(bytes: Uint8Array, actor: Actor): Promise<void> {
    this.#program.living()
    await this.#shell.keyboard.write(bytes, actor)
  }

  /** Whether it waits for something that is typed without being shown: agents neither type nor read it then. */
  async needsPerson(): Promise<boolean> {
    return this.state === 'running' && (await this.#shell.keyboard.needsPerson())
  }

  /** The program that has the terminal now: the shell itself, or what runs in it. */
  async foreground(): Promise<ForegroundProgram | undefined> {
    return this.#program.isOver ? undefined : await this.#program.living().foreground()
  }

  /** How it treats its input now; undefined when that cannot be told. */
  readonly ttyModes = async () => (this.#program.isOver ? undefined : this.#program.living().ttyModes())

  /** Every byte of output once, with its offset, after the log has it. */
  onOutput(listener: OutputListener): () => void {
    this.#outputListeners.add(listener)
    return () => this.#outputListeners.delete(listener)
  }

  async resize(size: Size): Promise<void> {
    requireUsable(size)
    await this.#sizes.want(size)
  }

  /** A viewer; with a size it becomes the one last active, whose size the terminal has. */
  view(sink: Sink, options: ViewOptions = {}): Viewer {
    const viewer = new Viewer(this.#viewed(), sink, options)
    this.#viewers.add(viewer)
    if (this.#program.isOver) viewer.end(this.#program.exit)
    return viewer
  }

  async restamp(stamp: Stamp): Promise<void> {
    await this.#program.attached().restamp(stamp)
  }

  /** Where the shell says it is; else where the program is that runs now. */
  async currentDirectory(): Promise<string | undefined> {
    return this.#program.isOver ? undefined : (this.shell.cwd ?? (await this.#program.living().currentDirectory()))
  }

  /** Ends every process of the terminal, then the terminal itself. */
  async kill(options?: { force?: boolean }): Promise<void> {
    await this.#program.attached().kill(options)
    this.#end()
    this.#letGo()
  }

  /** Stops listening; the program lives on where its backend can keep it. */
  async detach(): Promise<void> {
    for (const viewer of this.#viewers) viewer.close()
    if (this.state === 'running') await this.#modes.settle()
    await this.#shell.settle()
    this.#letGo()
    await this.#program.backend?.detach()
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
      answer: backendKind === 'pty' ? (data) => this.#attempt('answer', () => this.#answers.give(data)) : undefined,
      onTitle: (title) => this.#titleChanged(title),
      onModes: (modes) => this.#modes.changed(modes),
      isResyncLossy: backendKind === 'tmux',
      onBehind: () => this.#program.resync(this.screen),
      onNotRestored: (thrown) => this.#failed('resync', thrown)
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
    const from = this.log.end
    this.log.append(bytes)
    for (const listener of this.#outputListeners) listener(bytes, from)
    for (const viewer of this.#viewers) viewer.push(bytes)
    this.screen.push(bytes)
    void this.#reservation.reached(this.log.end)
  }

  #restored(restored: RestoredScreen): void {
    const isFirst = this.log.end === this.log.start && !this.#program.backend
    if (!isFirst) this.log.gap()
    this.#size = restored.size
    this.screen.restore(restored, { offset: this.log.end, modes: this.#modes.modes })
    for (const viewer of this.#viewers) viewer.resync()
    this.#shell.push(this.#sequences.start(restored.pending))
    if (!isFirst) void this.#shell.verify()
    this.#changed()
  }

  #exited(status: ExitStatus): void {
    this.#program.exit = status
    this.#end()
  }

  #end(): void {
    if (this.#program.isOver) return
    this.#shell.push(this.#sequences.flush())
    this.#program.isOver = true
    this.#shell.ended(this.#program.exit)
    this.#modes.forget()
    for (const viewer of this.#viewers) viewer.end(this.#program.exit)
    this.#changed()
  }

  #setPresence(presence: Presence): void {
    if (presence === this.#program.presence) return
    this.#program.presence = presence
    this.#changed()
  }

  async #applySize(size: Size): Promise<void> {
    if (size.rows === this.#size.rows && size.cols === this.#size.cols) return
    if (!this.#program.isOver) await this.#program.living().resize(size)
    this.#size = size
    this.screen.resize(size)
    for (const viewer of this.#viewers) viewer.announce({ resized: size })
    this.#changed()
  }

  #titleChanged(title: string): void {
    for (const viewer of this.#viewers) viewer.announce({ title })
    this.#changed()
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

  #letGo(): void {
    this.#modes.forget()
    this.#shell.close()
    this.screen.dispose()
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
