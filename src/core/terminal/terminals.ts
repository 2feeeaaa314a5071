import type { Settings } from '../../shared/settings'
import type { TerminalId } from '../../shared/terminal'
import type { Backend, BackendTerminal, LivingTerminal, ProgramSpec } from '../backends/backend'
import type { ProcessIdentity } from '../backends/processTable'
import type { Logger } from '../log'
import { Emulation } from './emulation'
import { NO_MODES } from './modes'
import { OFFSET_STEP_BYTES } from './offsetReservation'
import { Terminal, type TerminalOptions } from './terminal'

const SHORT_HANDLE = /^sess_([0-9a-f]{8})$/i

type Beginning = Pick<
  TerminalOptions,
  'id' | 'tmuxSession' | 'size' | 'beginsAt' | 'reservedOffset' | 'modes' | 'backendKind'
>

export interface TerminalsOptions {
  /** Keeps programs across hosts: asked what lives. */
  backend: Backend
  /** Where the next program runs; absent: in `backend`. */
  backendForNew?: () => Promise<Backend>
  settings: () => Settings
  log: Logger
}

export type NewTerminal = Omit<ProgramSpec, 'reservedOffset'> & { beginsAt?: number }

/** Every terminal of the host, by any of its handles; the only place where terminals are made. */
export class Terminals {
  readonly #backend: Backend
  readonly #backendForNew: () => Promise<Backend>
  readonly #settings: () => Settings
  readonly #log: Logger
  readonly #emulation = new Emulation()
  readonly #terminals = new Map<TerminalId, Terminal>()
  readonly #adopting = new Map<TerminalId, Promise<Terminal>>()
  readonly #listeners = new Set<(terminal: Terminal) => void>()

  constructor({ backend, backendForNew, settings, log }: TerminalsOptions) {
    this.#backend = backend
    this.#backendForNew = backendForNew ?? (async () => backend)
    this.#settings = settings
    this.#log = log
  }

  /** `beginsAt`: the offset of its first byte; one that is started again must not begin where it began before. */
  async create({ beginsAt = 0, ...spec }: NewTerminal): Promise<Terminal> {
    const { stamp, tmuxSession, size } = spec
    const reservedOffset = beginsAt + OFFSET_STEP_BYTES
    const backend = await this.#backendForNew()
    const beginning = { id: stamp.id, tmuxSession, size, beginsAt, reservedOffset, modes: NO_MODES }
    return this.#begin({ ...beginning, backendKind: backend.kind }, (terminal) =>
      backend.create({ ...spec, reservedOffset }, terminal.listener)
    )
  }

  /** Takes up a terminal that was found alive; one that is known already is returned as it is. */
  async adopt(living: LivingTerminal): Promise<Terminal> {
    const { id } = living.stamp
    const known = this.#terminals.get(id) ?? this.#adopting.get(id)
    if (known) return known
    const adopting = this.#begin(
      { ...living, id, beginsAt: living.reservedOffset, backendKind: this.#backend.kind },
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

  /** Straight from the backend; throws on doubt. */
  listLiving(): Promise<LivingTerminal[]> {
    return this.#backend.list()
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
    this.#terminals.clear()
  }

  async #begin(beginning: Beginning, start: (terminal: Terminal) => Promise<BackendTerminal>): Promise<Terminal> {
    const terminal = this.#newTerminal(beginning)
    try {
      await terminal.attach(await start(terminal))
    } catch (thrown) {
      terminal.screen.dispose()
      throw thrown
    }
    this.#terminals.set(terminal.id, terminal)
    terminal.onChange(() => this.#changed(terminal))
    this.#changed(terminal)
    return terminal
  }

  #newTerminal({ id, tmuxSession, size, beginsAt, reservedOffset, modes, backendKind }: Beginning): Terminal {
    return new Terminal({
      id,
      tmuxSession,
      size,
      beginsAt,
      reservedOffset,
      modes,
      backendKind,
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
