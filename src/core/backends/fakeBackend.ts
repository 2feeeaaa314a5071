import { AppError } from '../../shared/errors'
import type { BackendKind, ExitStatus, Size } from '../../shared/terminal'
import type {
  Backend,
  BackendListener,
  BackendTerminal,
  ForegroundProgram,
  LivingTerminal,
  Presence,
  ProgramSpec,
  RememberedModes,
  RestoredScreen,
  TtyModes
} from './backend'
import type { Stamp } from './stamp'

export type FakeOperation = 'start' | 'create' | 'list' | 'adopt' | keyof Omit<BackendTerminal, 'pid'>

const NO_MODES: RememberedModes = { bracketedPaste: false, focusReporting: false, cursorShape: 0 }
const NOTHING = Buffer.alloc(0)

/** A program in memory. Tests make it speak, die or go silent, and read what it heard. */
export class FakeProgram implements BackendTerminal {
  readonly pid: number
  readonly tmuxSession: string
  readonly spec: ProgramSpec | undefined
  stamp: Stamp
  size: Size
  modes: RememberedModes
  reservedOffset: number
  directory: string | undefined
  modesOfTty: TtyModes | undefined = { isCanonical: false, echoes: false }
  inForeground: ForegroundProgram | undefined
  /** What a restored screen shows. */
  picture = ''
  /** What was written to it, one entry a call. */
  readonly heard: string[] = []
  readonly resizes: Size[] = []
  resyncs = 0
  killed: { force: boolean } | undefined
  exit: ExitStatus | undefined
  #listener: BackendListener | undefined
  readonly #backend: FakeBackend

  constructor(backend: FakeBackend, living: LivingTerminal, spec?: ProgramSpec) {
    this.#backend = backend
    this.spec = spec
    this.pid = living.pid
    this.tmuxSession = living.tmuxSession
    this.stamp = living.stamp
    this.size = living.size
    this.modes = living.modes
    this.reservedOffset = living.reservedOffset
    this.directory = spec?.cwd ?? living.stamp.cwd
  }

  get isListenedTo(): boolean {
    return this.#listener !== undefined
  }

  get living(): LivingTerminal {
    const { pid, tmuxSession, stamp, size, modes, reservedOffset } = this
    return { pid, tmuxSession, stamp, size, modes, reservedOffset }
  }

  /** The program prints. */
  emit(output: string | Uint8Array): void {
    this.#listener?.output(typeof output === 'string' ? Buffer.from(output) : Buffer.from(output))
  }

  /** The program ends. */
  finish(exitCode: number | null = 0, signal: string | null = null): void {
    this.exit = { exitCode, signal }
    this.#listener?.exited(this.exit)
  }

  setPresence(presence: Presence): void {
    this.#listener?.presence(presence)
  }

  restore(screen: Partial<Omit<RestoredScreen, 'bytes'>> & { bytes?: string | Buffer } = {}): void {
    const { size = this.size, bytes = this.picture, pending = NOTHING } = screen
    this.#listener?.restored({ size, bytes: Buffer.from(bytes), pending })
  }

  listen(listener: BackendListener | undefined): void {
    this.#listener = listener
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#backend.attempt('write')
    if (this.exit) throw new AppError('PROCESS_EXITED', `Process has exited with code ${this.exit.exitCode}`)
    this.heard.push(Buffer.from(bytes).toString())
  }

  async resize(size: Size): Promise<void> {
    await this.#backend.attempt('resize')
    this.size = size
    this.resizes.push(size)
  }

  async kill({ force = false }: { force?: boolean } = {}): Promise<void> {
    await this.#backend.attempt('kill')
    this.killed = { force }
    if (!this.exit) this.finish(null, force ? 'SIGKILL' : 'SIGTERM')
    this.listen(undefined)
    this.#backend.programs.delete(this.stamp.id)
  }

  async restamp(stamp: Stamp): Promise<void> {
    await this.#backend.attempt('restamp')
    this.stamp = stamp
  }

  async remember({ reservedOffset, modes }: { reservedOffset?: number; modes?: RememberedModes }): Promise<void> {
    await this.#backend.attempt('remember')
    this.reservedOffset = reservedOffset ?? this.reservedOffset
    this.modes = modes ?? this.modes
  }

  async ttyPath(): Promise<string> {
    await this.#backend.attempt('ttyPath')
    return `/dev/pts/${this.pid}`
  }

  async ttyModes(): Promise<TtyModes | undefined> {
    await this.#backend.attempt('ttyModes')
    return this.modesOfTty
  }

  async foreground(): Promise<ForegroundProgram | undefined> {
    await this.#backend.attempt('foreground')
    return this.inForeground
  }

  async currentDirectory(): Promise<string | undefined> {
    await this.#backend.attempt('currentDirectory')
    return this.directory
  }

  async resync(): Promise<void> {
    await this.#backend.attempt('resync')
    this.resyncs++
    this.restore()
  }

  async detach(): Promise<void> {
    await this.#backend.attempt('detach')
    this.listen(undefined)
  }
}

/**
 * A backend in memory for unit tests. Programs outlive `stop` and `crash`, as they do in tmux, so that a second set of
 * terminals on the same fake plays a host that was started again.
 */
export class FakeBackend implements Backend {
  readonly kind: BackendKind
  readonly programs = new Map<string, FakeProgram>()
  /** Programs whose stamp cannot be read. */
  readonly damaged = new Set<FakeProgram>()
  readonly #failures = new Map<FakeOperation, AppError>()
  readonly #waits = new Map<FakeOperation, Promise<void>>()
  #nextPid = 1000

  constructor(kind: BackendKind = 'tmux') {
    this.kind = kind
  }

  /** The program of a terminal, or of the only one there is. */
  program(id?: string): FakeProgram {
    const program = id === undefined ? [...this.programs.values()].at(-1) : this.programs.get(id)
    if (!program) throw new Error(`No fake program ${id ?? 'at all'}`)
    return program
  }

  /** Everything that was typed, over all programs. */
  get heard(): string[] {
    return [...this.programs.values()].flatMap(({ heard }) => heard)
  }

  /** From now on this operation fails, until told `undefined`. */
  fail(operation: FakeOperation, error: AppError | undefined): void {
    if (error) this.#failures.set(operation, error)
    else this.#failures.delete(operation)
  }

  /** From now on this operation waits for `until` before it does anything. */
  delay(operation: FakeOperation, until: Promise<void>): void {
    this.#waits.set(operation, until)
  }

  /** The host dies: nobody listens any more, the programs run on. */
  crash(): void {
    for (const program of this.programs.values()) program.listen(undefined)
  }

  async attempt(operation: FakeOperation): Promise<void> {
    await this.#waits.get(operation)
    const failure = this.#failures.get(operation)
    if (failure) throw failure
  }

  async start(): Promise<void> {
    await this.attempt('start')
  }

  async create(spec: ProgramSpec, listener: BackendListener): Promise<BackendTerminal> {
    await this.attempt('create')
    const { tmuxSession, stamp, size, reservedOffset } = spec
    const living = { tmuxSession, stamp, size, reservedOffset, pid: this.#nextPid++, modes: NO_MODES }
    const program = new FakeProgram(this, living, spec)
    this.programs.set(stamp.id, program)
    program.listen(listener)
    return program
  }

  async list(): Promise<LivingTerminal[]> {
    await this.attempt('list')
    return [...this.programs.values()].filter((program) => !this.damaged.has(program)).map(({ living }) => living)
  }

  unreadable(): readonly string[] {
    return [...this.damaged].map(({ tmuxSession }) => tmuxSession)
  }

  async adopt({ stamp }: LivingTerminal, listener: BackendListener): Promise<BackendTerminal> {
    await this.attempt('adopt')
    const program = this.program(stamp.id)
    program.listen(listener)
    program.restore()
    if (program.exit) program.finish(program.exit.exitCode, program.exit.signal)
    return program
  }

  async stop(): Promise<void> {
    this.crash()
  }
}
