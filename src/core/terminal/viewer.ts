import type { Actor, ExitStatus, Size } from '../../shared/terminal'
import { isUsableSize } from '../../shared/terminal'
import type { Logger } from '../log'
import { ByteQueue } from './byteQueue'
import type { OutputLog } from './outputLog'
import { InputFilter } from './replies'
import type { Screen } from './screen'
import type { Snapshot } from './snapshot'

export type { Snapshot }

/** A client's end of the line. Each promise settles when the client is ready for more. */
export interface Sink {
  snapshot(snapshot: Snapshot): Promise<void>
  output(bytes: Uint8Array): Promise<void>
  /** Instead of a first snapshot: output continues exactly at `offset`. */
  resumed(offset: number, size: Size): Promise<void> | void
  resized(size: Size): Promise<void> | void
  title(title: string): Promise<void> | void
  /** The program ended and every byte of it has been delivered. Nothing follows. */
  ended(exit: ExitStatus | null): Promise<void> | void
}

/** What a viewer needs of its terminal. */
export interface Viewed {
  readonly screen: Screen
  readonly log: OutputLog
  readonly size: Size
  readonly logger: Logger
  write(bytes: Uint8Array, actor: Actor): Promise<void>
  /** This viewer is the one last active: the terminal takes its size. */
  takeSize(size: Size): void
  left(viewer: Viewer): void
}

export interface ViewOptions {
  /** Continue at this offset if its bytes are still kept. */
  from?: number | undefined
  size?: Size | undefined
  /** The visible screen may come ahead of a long history, as a snapshot of its own. */
  wantsPreview?: boolean
}

type Event = { resized: Size } | { title: string }

const MAX_QUEUED_BYTES = 1_000_000
/** A stream of nothing but size and title changes must not grow without bound either. */
const MAX_QUEUED_ITEMS = 10_000
const PIECE_BYTES = 65_536
/** Up to this many rows of history a snapshot is quick; above, the visible screen goes ahead of it. */
const QUICK_HISTORY_ROWS = 500
/** How long a client of a flooding terminal looks at one picture before it gets the next. */
const PICTURE_MS = 250

/**
 * One client's view of one terminal. A client that falls too far behind is not waited for: its queue is dropped and it
 * gets a fresh snapshot instead. A new client is simply one that has missed everything so far.
 */
export class Viewer {
  readonly #viewed: Viewed
  readonly #sink: Sink
  readonly #wantsPreview: boolean
  readonly #input = new InputFilter()
  #items: (ByteQueue | Event)[] = []
  #queuedBytes = 0
  #stale = true
  #closed = false
  #exit: ExitStatus | null | undefined
  #size: Size | undefined
  #wake: () => void = () => undefined
  /** Nothing is under way to the client. */
  #isIdle = false
  #sending: Promise<void> | undefined

  constructor(viewed: Viewed, sink: Sink, { from, size, wantsPreview = false }: ViewOptions = {}) {
    this.#viewed = viewed
    this.#sink = sink
    this.#wantsPreview = wantsPreview
    const resumesAt = this.#resume(from)
    if (size) this.resize(size)
    this.#pump(resumesAt).catch((thrown: unknown) => {
      viewed.logger.debug({ err: thrown }, 'viewer closed by its client')
      this.close()
    })
  }

  /** What this client types. Its terminal's replies to queries are taken out: the program has one answerer already. */
  async input(bytes: Uint8Array, actor: Actor): Promise<void> {
    const typed = this.#input.take(bytes)
    if (typed.length === 0) return
    this.activate()
    await this.#viewed.write(typed, actor)
  }

  /** The client's own size; an unusable one is not taken. */
  resize(size: Size): void {
    if (!isUsableSize(size)) return
    this.#size = { rows: size.rows, cols: size.cols }
    this.activate()
  }

  /** The person turned to this client: the terminal takes its size, if it has one. */
  activate(): void {
    if (this.#size && !this.#closed) this.#viewed.takeSize(this.#size)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#drop()
    this.#viewed.left(this)
    this.#wake()
  }

  push(bytes: Buffer): void {
    if (this.#stale || this.#closed) return
    if (this.#isIdle && this.#items.length === 0 && bytes.length <= PIECE_BYTES) {
      this.#sendNow(bytes)
      return
    }
    const last = this.#items.at(-1)
    const queue = last instanceof ByteQueue ? last : new ByteQueue()
    if (queue !== last) this.#items.push(queue)
    queue.push(bytes)
    this.#queuedBytes += bytes.length
    this.#queued()
  }

  /** Size and title changes, delivered in their place in the stream. */
  announce(event: Event): void {
    if (this.#stale || this.#closed) return
    this.#items.push(event)
    this.#queued()
  }

  /** Everything this client has is out of date. */
  resync(): void {
    this.#drop()
    this.#stale = true
    this.#wake()
  }

  /** The program has ended; told after the last byte. */
  end(exit: ExitStatus | null): void {
    this.#exit = exit
    this.#wake()
  }

  #resume(from: number | undefined): number | undefined {
    const { log } = this.#viewed
    if (from === undefined || !Number.isSafeInteger(from) || from < log.unbrokenFrom || from > log.end) return undefined
    if (log.end - from > MAX_QUEUED_BYTES) return undefined
    this.#stale = false
    const missed = log.read(from, MAX_QUEUED_BYTES).bytes
    if (missed.length > 0) this.push(missed)
    return from
  }

  #queued(): void {
    if (this.#queuedBytes > MAX_QUEUED_BYTES || this.#items.length > MAX_QUEUED_ITEMS) this.resync()
    this.#wake()
  }

  // The echo of a key is on its way before anything else is done with it.
  #sendNow(bytes: Buffer): void {
    this.#isIdle = false
    this.#sending = this.#sink.output(bytes)
    this.#wake()
  }

  #drop(): void {
    this.#items = []
    this.#queuedBytes = 0
  }

  async #pump(resumesAt: number | undefined): Promise<void> {
    if (resumesAt !== undefined) {
      await this.#sink.resumed(resumesAt, this.#viewed.size)
      await this.#tellTitle()
    }
    while (!this.#closed) {
      const next = this.#items[0]
      if (this.#stale) await this.#refresh()
      else if (next) await this.#deliver(next)
      else if (this.#exit !== undefined) await this.#finish(this.#exit)
      else await this.#untilWoken()
    }
  }

  async #untilWoken(): Promise<void> {
    this.#isIdle = true
    await new Promise<void>((resolve) => (this.#wake = resolve))
    this.#isIdle = false
    await this.#sending
    this.#sending = undefined
  }

  async #deliver(item: ByteQueue | Event): Promise<void> {
    if (!(item instanceof ByteQueue)) {
      this.#items.shift()
      return 'title' in item ? this.#sink.title(item.title) : this.#sink.resized(item.resized)
    }
    const bytes = item.take(PIECE_BYTES)
    this.#queuedBytes -= bytes.length
    if (item.size === 0) this.#items.shift()
    await this.#sink.output(bytes)
  }

  async #refresh(): Promise<void> {
    const { screen } = this.#viewed
    if ((this.#wantsPreview && screen.historyRows > QUICK_HISTORY_ROWS) || this.#isFlooded) {
      await this.#sink.snapshot(await screen.screenSnapshot())
    }
    if (this.#closed) return
    if (this.#isFlooded) await this.#untilCalm()
    // Still flooded: a whole snapshot would be out of date before it is written; show another picture instead.
    if (this.#isFlooded || this.#closed) return
    // From here on bytes queue up behind the snapshot.
    this.#stale = false
    const snapshot = await screen.snapshot()
    if (!this.#closed) await this.#sink.snapshot(snapshot)
    await this.#tellTitle()
  }

  get #isFlooded(): boolean {
    return this.#viewed.screen.backlogBytes > MAX_QUEUED_BYTES
  }

  async #untilCalm(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const picture = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PICTURE_MS)
    })
    await Promise.race([this.#viewed.screen.caughtUp(), picture])
    clearTimeout(timer)
  }

  async #tellTitle(): Promise<void> {
    const { title } = this.#viewed.screen
    if (title !== '' && !this.#closed) await this.#sink.title(title)
  }

  async #finish(exit: ExitStatus | null): Promise<void> {
    await this.#sink.ended(exit)
    this.close()
  }
}
