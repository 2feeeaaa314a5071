import type { CommandRecord } from '../../../shared/terminal'
import type { LineEnd } from '../../terminal/shellState'
import type { Terminal } from '../../terminal/terminal'

/**
 * How far a command is. `closed`: it ended the shell. `replaced`: another program took the shell's place. `refused`: the
 * shell is at its prompt again and ran nothing. `incomplete`: the shell waits for the rest. `invalid`: it only complains.
 */
export type Phase = 'typed' | 'running' | 'done' | 'closed' | 'replaced' | 'refused' | 'incomplete' | 'invalid'

/** What shells answer about a line that they do not understand. */
const NOT_UNDERSTOOD = 127

export interface RunOptions {
  /** Of its output so many bytes are kept from the beginning, whatever the log drops meanwhile. */
  keepBytes: number
  /** Its end is told by its record, not by the shell's next prompt. */
  endsWithRecord: boolean
}

export interface RunOutput {
  /** The first bytes. */
  head: Buffer
  from: number
  to: number
}

/** One command of an agent, from the moment it is typed until the shell waits for the next. */
export class CommandRun {
  /** Where the log ended before anything was typed. */
  readonly typedFrom: number
  readonly #terminal: Terminal
  readonly #options: RunOptions
  readonly #listeners = new Set<() => void>()
  readonly #stops: (() => void)[]
  #phase: Phase = 'typed'
  #first: CommandRecord | undefined
  #last: CommandRecord | undefined
  #parts: Buffer[] = []
  #keptBytes = 0
  #startedMs = performance.now()
  #durationMs: number | null = null
  /** Where the shell said that the line was taken. */
  #leftAt: number | undefined
  readonly #endBefore: LineEnd | undefined
  /** The end of the line as the shell told it, where it did: of several commands, one may not even have begun. */
  #lineEnd: LineEnd | undefined

  constructor(terminal: Terminal, options: RunOptions) {
    const { commands, shell } = terminal
    this.#terminal = terminal
    this.#options = options
    this.typedFrom = terminal.log.end
    this.#endBefore = shell.lastEnd
    this.#stops = [
      commands.onStart((record) => this.#started(record)),
      commands.onEnd((record) => this.#ended(record)),
      shell.onChange(() => this.#shellChanged()),
      shell.onUnrun((isIncomplete) => this.#unrun(isIncomplete)),
      terminal.onChange(() => this.#terminalChanged()),
      terminal.onOutput((bytes) => this.#heard(bytes))
    ]
  }

  get phase(): Phase {
    return this.#phase
  }

  get isOver(): boolean {
    return this.#phase !== 'typed' && this.#phase !== 'running'
  }

  get id(): string | undefined {
    return this.#first?.id
  }

  /** What runs, as the shell was told. */
  get command(): string {
    return this.#first?.command ?? ''
  }

  get exitCode(): number | null {
    if (this.#phase === 'closed') return this.#terminal.exit?.exitCode ?? null
    if (this.#phase === 'invalid') return NOT_UNDERSTOOD
    return this.isOver ? ((this.#lineEnd ?? this.#last)?.exitCode ?? null) : null
  }

  get durationMs(): number | null {
    return this.#durationMs
  }

  get elapsedMs(): number {
    return this.#durationMs ?? Math.round(performance.now() - this.#startedMs)
  }

  get output(): RunOutput {
    const end = this.#terminal.log.end
    if (!this.#first) return this.#seen(this.isOver ? (this.#lineEnd?.at ?? this.#leftAt ?? end) : end)
    const { from } = this.#first.output
    const to = this.isOver ? (this.#lineEnd?.at ?? this.#last?.output.to ?? end) : end
    return { head: Buffer.concat(this.#parts).subarray(0, Math.max(0, to - from)), from, to }
  }

  /** What came after the typing, where no mark says what of it is the command's own. */
  #seen(to: number): RunOutput {
    const { bytes, from } = this.#terminal.log.read(
      this.typedFrom,
      Math.min(to - this.typedFrom, this.#options.keepBytes)
    )
    return { head: bytes, from, to }
  }

  /** Resolves when the command is over, when `until` says so, or when the time is up. */
  wait({ until, ms, signal }: { until?: Phase; ms: number; signal?: AbortSignal }): Promise<void> {
    const isReached = () => this.isOver || this.#phase === until
    if (isReached() || signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        this.#listeners.delete(look)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      const look = () => {
        if (isReached()) finish()
      }
      const timer = setTimeout(finish, ms)
      this.#listeners.add(look)
      signal?.addEventListener('abort', finish)
    })
  }

  /** Called once, when the command is over. */
  whenOver(listener: () => void): void {
    const look = () => {
      if (!this.isOver) return
      this.#listeners.delete(look)
      listener()
    }
    this.#listeners.add(look)
    look()
  }

  /** What came after this place is no longer about a line that was not run. */
  cut(at: number): void {
    if (!this.#first) this.#leftAt ??= at
  }

  /** Nobody will ask any more. */
  drop(): void {
    for (const stop of this.#stops.splice(0)) stop()
    this.#listeners.clear()
  }

  #started(record: CommandRecord): void {
    if (this.isOver) return
    this.#first ??= record
    this.#last = record
    if (this.#phase === 'typed') this.#startedMs = performance.now()
    this.#reach('running')
  }

  #ended(record: CommandRecord): void {
    if (!this.#first || this.isOver) return
    this.#last = record
    this.#durationMs = Math.round(performance.now() - this.#startedMs)
    // Records end with their terminal, too, before it tells anybody that it is over.
    if (this.#options.endsWithRecord) this.#reach(this.#isTerminalOver ? 'closed' : 'done')
  }

  #shellChanged(): void {
    const { state } = this.#terminal.shell
    if (this.#options.endsWithRecord) return
    // A prompt that is only drawn again says nothing.
    if (state === 'running') this.#leftAt ??= this.#terminal.log.end
    else if (state === 'unknown') this.#reach('replaced')
    else if (this.#leftAt !== undefined) {
      const { lastEnd } = this.#terminal.shell
      const isOurs = lastEnd !== this.#endBefore && lastEnd && lastEnd.at >= (this.#last?.output.to ?? this.typedFrom)
      if (isOurs) this.#lineEnd = lastEnd
      this.#reach(this.#first ? 'done' : 'refused')
    }
  }

  #unrun(isIncomplete: boolean): void {
    if (this.#options.endsWithRecord || this.#terminal.commands.current) return
    this.#reach(isIncomplete ? 'incomplete' : 'invalid')
  }

  get #isTerminalOver(): boolean {
    return this.#terminal.state === 'exited' || this.#terminal.state === 'lost'
  }

  #terminalChanged(): void {
    if (this.#isTerminalOver) this.#reach('closed')
  }

  #heard(bytes: Buffer): void {
    if (!this.#first || this.isOver || this.#keptBytes >= this.#options.keepBytes) return
    const part = Buffer.from(bytes.subarray(0, this.#options.keepBytes - this.#keptBytes))
    this.#parts.push(part)
    this.#keptBytes += part.length
  }

  #reach(phase: Phase): void {
    if (this.isOver) return
    this.#phase = phase
    if (this.isOver) for (const stop of this.#stops.splice(0)) stop()
    for (const listener of this.#listeners) listener()
  }
}
