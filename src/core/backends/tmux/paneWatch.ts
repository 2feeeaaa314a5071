import { constants } from 'node:os'
import type { ExitStatus } from '../../../shared/terminal'
import type { Logger } from '../../log'
import type { Control } from './control'

const SWEEP_MS = 1_000

/** One pane of ours as a look at all of them found it. */
export interface SeenPane {
  paneId: string
  isDead: boolean
  isPiped: boolean
  /** Undefined while tmux has not collected the program yet. */
  exit: ExitStatus | undefined
}

/** Whoever follows one pane. */
export interface WatchedPane {
  readonly paneId: string
  /** Counts the times its pipe was opened: a look from before that says nothing about the new pipe. */
  readonly pipeCount: number
  seen(pane: SeenPane): void
  /** tmux answered, and the pane is not there. */
  missing(): void
  unanswered(): void
}

/**
 * Looks at all panes of this owner once a second, and at once when something calls. Says `missing` only on a proved
 * answer, and only of panes that were known before tmux was asked.
 */
export class PaneWatch {
  readonly #control: Control
  readonly #owner: string
  readonly #log: Logger
  readonly #panes = new Set<WatchedPane>()
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  #wanted = false
  #stopped = false

  constructor({ control, owner, log }: { control: Control; owner: string; log: Logger }) {
    this.#control = control
    this.#owner = owner
    this.#log = log
  }

  get panes(): readonly WatchedPane[] {
    return [...this.#panes]
  }

  add(pane: WatchedPane): () => void {
    this.#panes.add(pane)
    return () => this.#panes.delete(pane)
  }

  start(): void {
    this.#stopped = false
    this.#timer ??= setInterval(() => this.lookNow(), SWEEP_MS)
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Calls during a look are gathered into one more look. */
  lookNow(): void {
    this.#wanted = true
    if (!this.#isLooking) void this.#lookWhileWanted()
  }

  async #lookWhileWanted(): Promise<void> {
    this.#isLooking = true
    try {
      while (this.#wanted && !this.#stopped && this.#panes.size > 0) {
        this.#wanted = false
        await this.#look()
      }
    } finally {
      this.#isLooking = false
    }
  }

  async #look(): Promise<void> {
    const asked = this.panes.map((pane) => ({ pane, pipeCount: pane.pipeCount }))
    let found: Map<string, SeenPane>
    try {
      found = await this.#ask()
    } catch (failure) {
      this.#log.debug({ err: failure }, 'tmux did not say which terminals live')
      for (const { pane } of asked) if (this.#panes.has(pane)) pane.unanswered()
      return
    }
    for (const { pane, pipeCount } of asked) {
      if (!this.#panes.has(pane)) continue
      const seen = found.get(pane.paneId)
      if (!seen) pane.missing()
      else pane.seen(pipeCount === pane.pipeCount ? seen : { ...seen, isPiped: true })
    }
  }

  async #ask(): Promise<Map<string, SeenPane>> {
    const filter = `#{==:#{@tandem_owner},${this.#owner}}`
    const format = 'pane|#{pane_id}|#{pane_dead}|#{pane_pipe}|#{pane_dead_status}|#{pane_dead_signal}'
    const lines = await this.#control.run([['list-panes', '-a', '-f', filter, '-F', format]])
    return new Map(lines.flatMap(parseSeen).map((pane) => [pane.paneId, pane]))
  }
}

function parseSeen(line: string): SeenPane[] {
  const [mark, paneId, dead, piped, status = '', signal = ''] = line.split('|')
  if (mark !== 'pane' || paneId === undefined) return []
  return [{ paneId, isDead: dead === '1', isPiped: piped === '1', exit: exitStatus(status, signal) }]
}

/** tmux names a signal by its number or its short name, depending on the system it was built for. */
export function exitStatus(status: string, signal: string): ExitStatus | undefined {
  if (signal !== '') return { exitCode: null, signal: signalName(signal) }
  return status === '' ? undefined : { exitCode: Number(status), signal: null }
}

function signalName(signal: string): string {
  if (!/^\d+$/.test(signal)) return signal.startsWith('SIG') ? signal : `SIG${signal}`
  const known = Object.entries(constants.signals).find(([, number]) => number === Number(signal))
  return known?.[0] ?? `SIG${signal}`
}
