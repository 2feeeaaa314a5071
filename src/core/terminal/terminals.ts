import { randomUUID } from 'node:crypto'
import type { Settings } from '../../shared/settings'
import type { TerminalId } from '../../shared/terminal'
import type { Backend, BackendTerminal, LivingTerminal, ProgramSpec } from '../backends/backend'
import type { ProcessIdentity } from '../backends/processTable'
import type { Logger } from '../log'
import { ActivityWatch, type Lifetime } from './activityWatch'
import { Emulation } from './emulation'
import { OutputKeeper, type OutputShelf } from './keptOutput'
import type { ShellShelf } from './keptShell'
import { NO_MODES } from './modes'
import { OFFSET_STEP_BYTES } from './offsetReservation'
import { loadingShellOf, ShellInput } from './shellInput'
import { integrated } from './shellIntegration'
import { Terminal } from './terminal'
import type { TerminalOptions } from './terminalOptions'

const SHORT_HANDLE = /^sess_([0-9a-f]{8})$/i

type Beginning = Pick<
  TerminalOptions,
  'id' | 'tmuxSession' | 'size' | 'beginsAt' | 'reservedOffset' | 'modes' | 'backendKind' | 'isIntegrated'
> & { lifetime: Lifetime; program: string }

/** What shells need to tell about their commands. */
export interface Shells {
  /** The folder with our scripts for them. */
  scripts: string
  /** What the terminal that began at this offset, or has reached it, signs its marks with. */
  nonceOf(id: TerminalId, offset: number): string
  shelf: ShellShelf
  /** Where the next line for this terminal's shell lies. */
  inputOf(id: TerminalId): string
}

export interface TerminalsOptions {
  /** Keeps programs across hosts: asked what lives. */
  backend: Backend
  /** Where the next program runs; absent: in `backend`. */
  backendForNew?: () => Promise<Backend>
  settings: () => Settings
  /** Absent: no shell tells anything. */
  shells?: Shells
  /** Where output is kept between hosts while the setting says so; absent: nowhere. */
  outputs?: OutputShelf
  log: Logger
}

export type NewTerminal = Omit<ProgramSpec, 'reservedOffset'> & { beginsAt?: number }

/** Every terminal of the host, by any of its handles; the only place where terminals are made. */
export class Terminals {
  readonly activity = new ActivityWatch()
  readonly #backend: Backend
  readonly #backendForNew: () => Promise<Backend>
  readonly #settings: () => Settings
  readonly #shells: Shells | undefined
  readonly #outputs: OutputShelf | undefined
  readonly #keepers = new Map<TerminalId, OutputKeeper>()
  readonly #log: Logger
  readonly #emulation = new Emulation()
  readonly #terminals = new Map<TerminalId, Terminal>()
  readonly #adopting = new Map<TerminalId, Promise<Terminal>>()
  readonly #listeners = new Set<(terminal: Terminal) => void>()
  #looking: Promise<LivingTerminal[]> | undefined

  constructor({ backend, backendForNew, settings, shells, outputs, log }: TerminalsOptions) {
    this.#backend = backend
    this.#backendForNew = backendForNew ?? (async () => backend)
    this.#settings = settings
    this.#shells = shells
    this.#outputs = outputs
    this.#log = log
  }

  /** `beginsAt`: the offset of its first byte; one that is started again must not begin where it began before. */
  async create({ beginsAt = 0, ...spec }: NewTerminal): Promise<Terminal> {
    const { stamp, tmuxSession, size } = spec
    const reservedOffset = beginsAt + OFFSET_STEP_BYTES
    // Of one that is started again, the output of the time before is over.
    if (beginsAt > 0) await this.#outputs?.remove(stamp.id)
    const backend = await this.#backendForNew()
    const started = this.#integrated(spec, beginsAt)
    const isIntegrated = started !== undefined
    const beginning = { id: stamp.id, tmuxSession, size, beginsAt, reservedOffset, modes: NO_MODES, isIntegrated }
    const lifetime = { startedAt: new Date().toISOString(), endedAt: null }
    const { program } = stamp
    return this.#begin({ ...beginning, backendKind: backend.kind, lifetime, program }, (terminal) =>
      backend.create({ ...spec, ...started, reservedOffset }, terminal.listener)
    )
  }

  /** Takes up a terminal that was found alive; one that is known already is returned as it is. */
  async adopt(living: LivingTerminal): Promise<Terminal> {
    const { id } = living.stamp
    const known = this.#terminals.get(id) ?? this.#adopting.get(id)
    if (known) return known
    const { lifetime = { startedAt: null, endedAt: null } } = living
    const adopting = this.#begin(
      {
        ...living,
        id,
        beginsAt: living.reservedOffset,
        backendKind: this.#backend.kind,
        isIntegrated: false,
        lifetime,
        program: living.stamp.program
      },
      (terminal) => this.#backend.adopt(living, terminal.listener)
    )
    this.#adopting.set(id, adopting)
    try {
      return await adopting
    } finally {
      this.#adopting.delete(id)
    }
  }

  /** The process that keeps the programs that outlive this one, once it is known. */
  keeper(): ProcessIdentity | undefined {
    return this.#backend.keeper?.()
  }

  /** Straight from the backend, asked after this call; throws on doubt. Those who call at once share one answer. */
  listLiving(): Promise<LivingTerminal[]> {
    this.#looking ??= Promise.resolve().then(() => {
      this.#looking = undefined
      return this.#backend.list()
    })
    return this.#looking
  }

  /** Of the last answer: tmux sessions that live although nobody can read whose they are. */
  unreadable(): readonly string[] {
    return this.#backend.unreadable?.() ?? []
  }

  all(): Terminal[] {
    return [...this.#terminals.values()]
  }

  byId(id: TerminalId): Terminal | undefined {
    return this.#terminals.get(id)
  }

  /** A UUID, `sess_` and its first 8 digits where only one terminal has them, or the tmux session name. */
  byHandle(handle: string): Terminal | undefined {
    const digits = SHORT_HANDLE.exec(handle)?.[1]?.toLowerCase()
    const matches = this.all().filter(({ id, tmuxSession }) =>
      digits ? id.toLowerCase().startsWith(digits) : id === handle.toLowerCase() || tmuxSession === handle
    )
    return matches.length === 1 ? matches[0] : undefined
  }

  /** After a kill: the terminal is in no list any more. */
  forget(id: TerminalId): void {
    this.#terminals.delete(id)
    this.activity.forget(id)
    this.#shells?.shelf.remove(id)
    void this.#keepers.get(id)?.forget()
    this.#keepers.delete(id)
  }

  onChange(listener: (terminal: Terminal) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Lets go of all terminals; their programs live on where the backend can keep them. */
  async stop(): Promise<void> {
    const detached = await Promise.allSettled(this.all().map((terminal) => terminal.detach()))
    for (const outcome of detached) {
      if (outcome.status === 'rejected') this.#log.warn({ err: outcome.reason }, 'detach failed')
    }
    await Promise.all([...this.#keepers.values()].map((keeper) => keeper.settle()))
    this.#terminals.clear()
  }

  async #begin(beginning: Beginning, start: (terminal: Terminal) => Promise<BackendTerminal>): Promise<Terminal> {
    const terminal = this.#newTerminal(beginning)
    await this.#keepOutput(terminal)
    try {
      await terminal.attach(await start(terminal))
    } catch (thrown) {
      terminal.screen.dispose()
      this.#keepers.delete(terminal.id)
      throw thrown
    }
    this.#terminals.set(terminal.id, terminal)
    this.activity.follow(terminal, beginning.lifetime)
    terminal.onChange(() => this.#changed(terminal))
    this.#changed(terminal)
    return terminal
  }

  /** What an earlier host kept is there again, and what comes is kept for the next one. */
  async #keepOutput(terminal: Terminal): Promise<void> {
    const shelf = this.#outputs
    if (!shelf) return
    const { id, log } = terminal
    const isOn = (): boolean => this.#settings().persist_buffers
    const maxBytes = (): number => this.#settings().buffer_bytes
    const keeper = new OutputKeeper(id, { log, shelf, isOn, maxBytes, logger: this.#log })
    this.#keepers.set(id, keeper)
    terminal.onOutput(() => keeper.changed())
    if (!isOn()) return
    try {
      log.restore(await shelf.load(id))
    } catch (failure) {
      this.#log.warn({ err: failure, terminal: id }, 'The kept output of a terminal could not be read')
    }
  }

  #integrated(spec: NewTerminal, beginsAt: number) {
    const { scripts, inputOf } = this.#shells ?? {}
    if (scripts === undefined || inputOf === undefined) return undefined
    const { id } = spec.stamp
    return integrated(spec, { scripts, input: inputOf(id), nonce: this.#nonceOf(id, beginsAt) })
  }

  #inputOf(id: TerminalId, program: string): ShellInput | undefined {
    const kind = loadingShellOf(program)
    return kind && this.#shells && new ShellInput(kind, this.#shells.inputOf(id))
  }

  #nonceOf(id: TerminalId, offset: number): string {
    return this.#shells?.nonceOf(id, offset) ?? randomUUID()
  }

  #newTerminal(beginning: Beginning): Terminal {
    const { id, tmuxSession, size, beginsAt, reservedOffset, modes, backendKind, isIntegrated, program } = beginning
    return new Terminal({
      id,
      tmuxSession,
      size,
      beginsAt,
      reservedOffset,
      modes,
      backendKind,
      nonce: this.#nonceOf(id, beginsAt),
      isIntegrated,
      shelf: this.#shells?.shelf,
      input: this.#inputOf(id, program),
      giveBackAfterMs: () => this.#settings().give_back_after * 1_000,
      scrollback: this.#settings().scrollback_limit,
      logLimits: () => ({ maxBytes: this.#settings().buffer_bytes, maxChunks: this.#settings().buffer_chunks }),
      emulation: this.#emulation,
      log: this.#log
    })
  }

  #changed(terminal: Terminal): void {
    for (const listener of this.#listeners) listener(terminal)
  }
}
