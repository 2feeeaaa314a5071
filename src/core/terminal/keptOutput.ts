import type { TerminalId } from '../../shared/terminal'
import type { Logger } from '../log'
import type { OutputLog } from './outputLog'

/** A run of output by its offset. */
export interface KeptOutput {
  from: number
  bytes: Buffer
}

/** Where output is kept between hosts, for nobody but the owner. */
export interface OutputShelf {
  /** Oldest first; nothing when nothing was kept. */
  load(id: TerminalId): Promise<KeptOutput[]>
  /** Adds to what is kept; answers how many bytes that took. */
  append(id: TerminalId, output: readonly KeptOutput[]): Promise<number>
  /** Keeps this instead of what was kept. */
  replace(id: TerminalId, output: readonly KeptOutput[]): Promise<number>
  remove(id: TerminalId): Promise<void>
}

export interface OutputKeeperParts {
  log: OutputLog
  shelf: OutputShelf
  /** Whether output is to be kept, asked each time. */
  isOn(): boolean
  maxBytes(): number
  logger: Logger
}

/** Output of this long goes to the disk together; so much is lost when the host is killed. */
const SETTLE_MS = 500
const READ_BYTES = 262_144

/** Keeps the output of one terminal for the next host, as far as the log itself keeps it. */
export class OutputKeeper {
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> = Promise.resolve()
  #keptTo = 0
  #keptBytes: number | undefined
  #isOver = false

  constructor(
    private readonly id: TerminalId,
    private readonly parts: OutputKeeperParts
  ) {}

  /** There is output that is not kept yet. */
  changed(): void {
    if (this.#isOver || this.#timer || (!this.parts.isOn() && this.#keptBytes === undefined)) return
    this.#timer = setTimeout(() => void this.settle(), SETTLE_MS).unref()
  }

  /** Keeps at once what is not kept yet; nothing is left when output is no longer to be kept. */
  settle(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#isOver) this.#do(() => (this.parts.isOn() ? this.#keep() : this.#drop()))
    return this.#work
  }

  /** The terminal is gone: so is what was kept of it. */
  forget(): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#isOver) this.#do(() => this.#drop())
    this.#isOver = true
    return this.#work
  }

  #do(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((failure: unknown) => {
      this.parts.logger.warn({ err: failure, terminal: this.id }, 'The output of a terminal could not be kept')
    })
  }

  async #keep(): Promise<void> {
    const { shelf, maxBytes } = this.parts
    const isFirst = this.#keptBytes === undefined
    if (isFirst || (this.#keptBytes ?? 0) > 2 * maxBytes()) this.#keptTo = this.parts.log.start
    const isWhole = this.#keptTo === this.parts.log.start
    const output = this.#unkept()
    if (output.length === 0 && !isFirst) return
    if (isWhole) this.#keptBytes = await shelf.replace(this.id, output)
    else this.#keptBytes = (this.#keptBytes ?? 0) + (await shelf.append(this.id, output))
  }

  #unkept(): KeptOutput[] {
    const output: KeptOutput[] = []
    for (;;) {
      const { bytes, from, next } = this.parts.log.read(this.#keptTo, READ_BYTES)
      if (bytes.length === 0) return output
      output.push({ from, bytes })
      this.#keptTo = next
    }
  }

  async #drop(): Promise<void> {
    if (this.#keptBytes === undefined && !this.#isOver) return
    this.#keptBytes = undefined
    await this.parts.shelf.remove(this.id)
  }
}
