import { z } from 'zod'
import { type Actor, type CommandRecord, commandRecordSchema, type TerminalId } from '../../shared/terminal'

/** The newest commands of a terminal; older ones are forgotten. */
const MAX_RECORDS = 200
/** Longer lines are cut: whoever typed one has it, and 200 of them must not fill the memory. */
const MAX_COMMAND_CHARACTERS = 16_384

export const keptRecordsSchema = z.object({ made: z.number().int(), records: z.array(commandRecordSchema) })
export type KeptRecords = z.infer<typeof keptRecordsSchema>

export interface CommandBeginning {
  actor: Actor | null
  command: string
  cwd: string | null
  /** Where its output begins in the log. */
  from: number
}

export interface CommandEnd {
  exitCode: number | null
  /** Where its output ends in the log. */
  to: number
  wasSeen: boolean
}

type Listener = (record: CommandRecord) => void

/** Every command that anyone ran in one terminal, newest last. Bounded. */
export class CommandRecords {
  readonly #terminalId: TerminalId
  readonly #starts = new Set<Listener>()
  readonly #ends = new Set<Listener>()
  #records: CommandRecord[] = []
  #current: CommandRecord | undefined
  #made = 0
  #expected: string | undefined
  /** By the steady clock, for the one that began under this host. */
  #startedMs: number | undefined
  /** What a command inside another interrupts. */
  #outer: { record: CommandRecord | undefined; startedMs: number | undefined } | undefined

  constructor(terminalId: TerminalId) {
    this.#terminalId = terminalId
  }

  all(): CommandRecord[] {
    return [...this.#records]
  }

  /** The one that runs now. */
  get current(): CommandRecord | undefined {
    return this.#current
  }

  onStart(listener: Listener): () => void {
    this.#starts.add(listener)
    return () => this.#starts.delete(listener)
  }

  onEnd(listener: Listener): () => void {
    this.#ends.add(listener)
    return () => this.#ends.delete(listener)
  }

  /** The next command is this text, whatever way the shell is told to run it. */
  expect(command: string | undefined): void {
    this.#expected = command
  }

  get isExpecting(): boolean {
    return this.#expected !== undefined
  }

  /** For those who read the marks: a command began. */
  start({ actor, command, cwd, from }: CommandBeginning): void {
    const text = this.#expected ?? command
    this.#expected = undefined
    this.#made += 1
    const record: CommandRecord = {
      id: `cmd_${this.#terminalId.slice(0, 8)}_${this.#made}`,
      terminalId: this.#terminalId,
      actor,
      command: cut(text),
      cwd,
      started: new Date().toISOString(),
      durationMs: null,
      exitCode: null,
      running: true,
      output: { from, to: null }
    }
    this.#startedMs = performance.now()
    this.#current = record
    this.#records = [...this.#records.slice(1 - MAX_RECORDS), record]
    for (const listener of this.#starts) listener(record)
  }

  /** A command began in a shell that the current one is. */
  startInside(beginning: CommandBeginning): void {
    this.#outer = { record: this.#current, startedMs: this.#startedMs }
    this.start(beginning)
  }

  /** It ended, and the shell around it goes on. */
  endInside(end: CommandEnd): void {
    const outer = this.#outer
    this.#outer = undefined
    this.end(end)
    this.#current = outer?.record
    this.#startedMs = outer?.startedMs
  }

  /** It ended. `durationMs` null: while nobody looked. */
  end({ exitCode, to, wasSeen }: CommandEnd): void {
    // Without a command around it, it ran in the terminal's own program, whose end is its own.
    if (this.#outer) this.endInside({ exitCode: this.#outer.record ? null : exitCode, to, wasSeen })
    const current = this.#current
    if (!current) return
    const durationMs = wasSeen ? this.#elapsedMs(current) : null
    const record = { ...current, durationMs, exitCode, running: false, output: { ...current.output, to } }
    this.#current = undefined
    this.#startedMs = undefined
    this.#records = this.#records.map((one) => (one.id === record.id ? record : one))
    for (const listener of this.#ends) listener(record)
  }

  #elapsedMs({ started }: CommandRecord): number {
    const elapsedMs =
      this.#startedMs === undefined ? Date.now() - Date.parse(started) : performance.now() - this.#startedMs
    return Math.max(0, Math.round(elapsedMs))
  }

  get kept(): KeptRecords {
    return { made: this.#made, records: this.#records }
  }

  /** Goes on with what an earlier host kept. `isInside`: the newest runs in a shell that the one before it is. */
  restore({ made, records }: KeptRecords, { isInside = false } = {}): void {
    const [newest, ...others] = records.filter(({ running }) => running).reverse()
    const outer = isInside ? others.shift() : undefined
    const lost = new Set(others.map(({ id }) => id))
    this.#made = made
    this.#records = records
      .slice(-MAX_RECORDS)
      .map((record) => (lost.has(record.id) ? { ...record, running: false } : record))
    this.#current = newest
    this.#outer = isInside ? { record: outer, startedMs: undefined } : undefined
  }
}

function cut(command: string): string {
  return command.length <= MAX_COMMAND_CHARACTERS ? command : `${command.slice(0, MAX_COMMAND_CHARACTERS)}…`
}
