import type { TerminalActivity } from '../../shared/activity'
import type { Agent, TerminalId } from '../../shared/terminal'
import type { Terminal } from './terminal'
import { Watchers } from './watchers'

/** Windows mark what is new; nobody sees more often than this. */
const GATHER_MS = 400

const BELL = 7
// A bell also ends titles and the like, where nobody hears it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is looked for
const QUIET_BELLS = /\x1b[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)/g

/** When a program began and ended, as far as that is known. */
export type Lifetime = Pick<TerminalActivity, 'startedAt' | 'endedAt'>

/** Follows what goes on in every terminal, and tells it in gathered lists. */
export class ActivityWatch {
  readonly #bells = new Map<TerminalId, number>()
  readonly #agents = new Map<TerminalId, Agent>()
  readonly #watchers = new Map<TerminalId, Watchers>()
  readonly #commands = new Set<() => void>()
  readonly #lifetimes = new Map<TerminalId, Lifetime>()
  readonly #followed = new Map<TerminalId, Terminal>()
  readonly #changed = new Set<TerminalId>()
  readonly #listeners = new Set<(changes: TerminalActivity[]) => void>()
  #timer: NodeJS.Timeout | undefined

  /** Of a program that an earlier host began, `lifetime` is what its keeper knows. */
  follow(terminal: Terminal, lifetime: Lifetime): void {
    const { id } = terminal
    this.#followed.set(id, terminal)
    this.#lifetimes.set(id, lifetime)
    const note = () => this.#note(id)
    terminal.onOutput((bytes) => {
      const rung = bellsIn(bytes)
      if (rung > 0) this.#bells.set(id, (this.#bells.get(id) ?? 0) + rung)
      note()
    })
    terminal.shell.onChange(note)
    terminal.shell.agent.onChange(note)
    terminal.commands.onStart(() => this.#tellCommands())
    terminal.commands.onEnd(() => {
      note()
      this.#tellCommands()
    })
    terminal.control.onChange(() => {
      const { holder } = terminal.control.state
      if (holder?.kind === 'agent') this.#typed(id, holder)
      note()
    })
    terminal.onChange(() => {
      this.#noteEnd(terminal)
      note()
    })
  }

  forget(id: TerminalId): void {
    this.#followed.delete(id)
    this.#bells.delete(id)
    this.#agents.delete(id)
    this.#watchers.get(id)?.close()
    this.#watchers.delete(id)
    this.#lifetimes.delete(id)
    this.#changed.delete(id)
  }

  /** An agent begins to read a terminal that it may see; returns how to say that it has read. */
  look(id: TerminalId, agent: Agent): () => void {
    if (!this.#followed.has(id)) return () => undefined
    const watchers = this.#watchers.get(id) ?? new Watchers(() => this.#note(id))
    this.#watchers.set(id, watchers)
    return watchers.look(agent)
  }

  all(): TerminalActivity[] {
    return [...this.#followed.values()].map((terminal) => this.#of(terminal))
  }

  /** Every terminal that is followed now. */
  terminals(): Terminal[] {
    return [...this.#followed.values()]
  }

  /** A command began or ended in one of the terminals. */
  onCommand(listener: () => void): () => void {
    this.#commands.add(listener)
    return () => this.#commands.delete(listener)
  }

  onChange(listener: (changes: TerminalActivity[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #of({ id, shell, commands, control, log, state }: Terminal): TerminalActivity {
    const { needsPerson, holder, isTaken } = control.state
    const last = commands.all().findLast(({ running }) => !running)
    const { startedAt = null, endedAt = null } = this.#lifetimes.get(id) ?? {}
    return {
      id,
      isWorking: state === 'running' && shell.isWorking,
      needsPerson,
      lastExitCode: last?.exitCode ?? null,
      lastDurationMs: last?.durationMs ?? null,
      cwd: shell.cwd ?? null,
      startedAt,
      endedAt,
      printed: log.end,
      bells: this.#bells.get(id) ?? 0,
      holder,
      isTaken,
      agent: this.#agents.get(id) ?? null,
      watchers: this.#watchers.get(id)?.agents ?? [],
      agentState: shell.agent.current
    }
  }

  #typed(id: TerminalId, agent: Agent): void {
    this.#agents.set(id, agent)
    this.#watchers.get(id)?.typed(agent)
  }

  #noteEnd({ id, state }: Terminal): void {
    const lifetime = this.#lifetimes.get(id)
    if (state !== 'exited' || !lifetime || lifetime.endedAt !== null) return
    this.#lifetimes.set(id, { ...lifetime, endedAt: new Date().toISOString() })
  }

  #note(id: TerminalId): void {
    if (this.#listeners.size === 0) return
    this.#changed.add(id)
    this.#timer ??= setTimeout(() => this.#tell(), GATHER_MS).unref()
  }

  #tellCommands(): void {
    for (const listener of this.#commands) listener()
  }

  #tell(): void {
    this.#timer = undefined
    const terminals = [...this.#changed].flatMap((id) => this.#followed.get(id) ?? [])
    this.#changed.clear()
    const changes = terminals.map((terminal) => this.#of(terminal))
    if (changes.length > 0) for (const listener of this.#listeners) listener(changes)
  }
}

function bellsIn(bytes: Buffer): number {
  if (!bytes.includes(BELL)) return 0
  return bytes.toString('latin1').replace(QUIET_BELLS, '').split('\x07').length - 1
}
