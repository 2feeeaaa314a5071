import type { Size } from '../../shared/terminal'
import type { RememberedModes, RestoredScreen } from '../backends/backend'
import { Backlog } from './backlog'
import { ByteQueue } from './byteQueue'
import { Emulator, type IModes } from './emulator'
import { modeBytes, sameModes } from './modes'
import { PIECE_BYTES, PieceSize } from './pieceSize'
import { Promises } from './promises'
import { RestoreRequest } from './restoreRequest'
import { readLines, type ScreenLine } from './screenLines'
import type { ScreenOptions } from './screenOptions'
import { screenRows } from './screenText'
import type { Snapshot } from './snapshot'
import { visibleSnapshot, wholeSnapshot } from './snapshotWriter'

type Task = () => void
/** Where a restored screen begins or ends: superseded by the next one, unlike a task that somebody waits for. */
type ReplayMark = { passed: Task }
/** What waits for the emulator, in stream order. */
type Item = ByteQueue | Size | Task | ReplayMark

/**
 * The terminal's state of record: a headless emulator fed every byte once and in order, with no window needed. Resizes,
 * restores and snapshots take their place among the bytes; parsing happens in turns shared with all other terminals.
 */
export class Screen {
  readonly #options: ScreenOptions
  #emulator: Emulator
  #items: Item[] = []
  readonly #backlog: Backlog
  readonly #pieceSize = new PieceSize()
  readonly #restore: RestoreRequest
  #parsed: number
  #serializing = false
  #replaying = false
  #disposed = false
  #title = ''
  #knownModes: RememberedModes
  #latest: Promise<Snapshot> | undefined
  #atBoundary: (() => void)[] = []
  readonly #promises = new Promises()

  constructor(options: ScreenOptions) {
    this.#options = options
    this.#parsed = options.offset
    this.#backlog = new Backlog(options.emulation.waiting, options)
    this.#restore = new RestoreRequest(options)
    this.#emulator = this.#newEmulator(options.size)
    this.#knownModes = this.#emulator.remembered
  }

  /** Bytes that wait to be parsed. */
  get backlogBytes(): number {
    return this.#backlog.bytes
  }

  get needsRestore(): boolean {
    return this.#restore.isBroken || this.#backlog.isTooLong
  }

  get historyRows(): number {
    return this.#emulator.buffer.normal.length - this.#emulator.size.rows
  }

  get title(): string {
    return this.#title
  }

  get modes(): IModes & RememberedModes {
    return { ...this.#emulator.modes, ...this.#emulator.remembered }
  }

  /** Exactly the visible rows, right-trimmed. */
  text(): string[] {
    return screenRows(this.#emulator)
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0 || this.#disposed) return
    const wasIdle = this.#isIdle
    this.#latest = undefined
    const last = this.#items.at(-1)
    const queue = last instanceof ByteQueue ? last : new ByteQueue()
    if (queue !== last) this.#items.push(queue)
    queue.push(bytes)
    this.#backlog.pushed(bytes.length)
    if (wasIdle && bytes.length <= PIECE_BYTES) this.#options.emulation.atOnce(this)
    else this.#enqueue()
    this.#restoreIfNeeded()
  }

  /** Takes effect after the bytes pushed before it. */
  resize(size: Size): void {
    if (this.#isIdle) this.#emulator.resize(size)
    else this.#items.push(size)
    this.#latest = undefined
  }

  /** Starts afresh: what waits to be parsed is superseded. The next byte pushed has the offset `offset`. */
  restore(restored: RestoredScreen, { offset, modes }: { offset: number; modes: RememberedModes }): void {
    if (this.#disposed) return
    const waiting = this.#items.filter((item) => item instanceof Function)
    const replay = new ByteQueue()
    replay.push(Buffer.concat([restored.bytes, modeBytes(modes)]))
    // Replayed bytes are no output: they are counted up to the offset at which output goes on.
    const begin = { passed: () => this.#beginReplay(restored.size, offset - replay.size) }
    this.#items = [begin, replay, { passed: () => this.#endReplay() }, ...waiting]
    this.#backlog.restored(replay.size)
    this.#restore.settled()
    this.#latest = undefined
    this.#enqueue()
  }

  /** The state after exactly the bytes pushed before this call, even while more keep coming. */
  snapshot(): Promise<Snapshot> {
    if (this.#latest) return this.#latest
    const taken = this.#promises.make<Snapshot>((resolve, reject) => {
      this.#do(() => void this.#serialize().then(resolve, reject))
    })
    this.#latest = taken
    // Shared by all who ask while nothing new arrives; not kept afterwards.
    const forget = (): void => {
      if (this.#latest === taken) this.#latest = undefined
    }
    taken.then(forget, forget)
    return taken
  }

  /** The visible screen as it is now, without history: for a first picture while the whole is being prepared. */
  screenSnapshot(): Promise<Snapshot> {
    return this.#promises.make((resolve) => {
      this.#atBoundary.push(() => resolve(this.#visible()))
      this.#serveBoundary()
    })
  }

  /** History and screen as lines, newest first, after what was pushed before this call. */
  lines(signal: AbortSignal): Promise<ScreenLine[]> {
    return this.inspect((emulator) => readLines(emulator, signal))
  }

  /** Looks at the emulator after exactly the bytes pushed before this call; nothing is parsed until `look` is done. */
  inspect<T>(look: (emulator: Emulator, offset: number) => T | Promise<T>): Promise<T> {
    return this.#promises.make((resolve, reject) => {
      const hold = () => this.#held(async (emulator) => look(emulator, this.#parsed))
      this.#do(() => void hold().then(resolve, reject))
    })
  }

  /** Everything pushed before this call has been parsed. */
  caughtUp(): Promise<void> {
    return this.#promises.make((resolve) => this.#do(() => resolve()))
  }

  dispose(): void {
    this.#disposed = true
    this.#options.emulation.remove(this)
    this.#restore.close()
    this.#items = []
    this.#backlog.clear()
    this.#promises.rejectAll()
    if (!this.#serializing) this.#emulator.dispose()
  }

  /** Called in turns by the emulation. */
  step(): boolean {
    const item = this.#items[0]
    if (item instanceof ByteQueue) this.#parse(item)
    else if (item) {
      this.#items.shift()
      if (item instanceof Function) item()
      else if ('passed' in item) item.passed()
      else this.#emulator.resize(item)
    }
    this.#noticeModes()
    this.#serveBoundary()
    return this.#items.length > 0 && !this.#serializing
  }

  #parse(queue: ByteQueue): void {
    const bytes = queue.takePiece(this.#pieceSize.bytes)
    const started = performance.now()
    const offset = this.#replaying ? undefined : this.#parsed
    if (queue.size === 0) this.#items.shift()
    this.#parsed += bytes.length
    try {
      this.#emulator.write(bytes, offset)
    } catch (thrown) {
      // An emulator that threw in the middle of a chunk takes no more: go on with a new one until it is restored.
      this.#options.log.error({ err: thrown }, 'terminal emulator failed')
      this.#emulator = this.#newEmulator(this.#emulator.size)
      this.#restore.broken()
      this.#restoreIfNeeded()
    }
    const spentMs = performance.now() - started
    this.#backlog.parsed(bytes.length, spentMs)
    if (this.#backlog.isShort) this.#restore.caughtUp()
    this.#pieceSize.spent(bytes.length, spentMs)
  }

  #do(task: Task): void {
    if (this.#disposed) return
    this.#latest = undefined
    if (this.#isIdle) task()
    else {
      this.#items.push(task)
      this.#enqueue()
    }
  }

  get #isIdle(): boolean {
    return this.#items.length === 0 && !this.#serializing
  }

  #enqueue(): void {
    if (!this.#serializing && !this.#disposed) this.#options.emulation.enqueue(this)
  }

  #beginReplay(size: Size, offset: number): void {
    this.#emulator.dispose()
    this.#emulator = this.#newEmulator(size)
    this.#parsed = offset
    this.#replaying = true
  }

  #endReplay(): void {
    this.#replaying = false
  }

  #newEmulator(size: Size): Emulator {
    return new Emulator(size, this.#options.scrollback, {
      answer: (data) => {
        if (!this.#replaying) this.#options.answer?.(data)
      },
      title: (title) => {
        this.#title = title
        this.#options.onTitle(title)
      }
    })
  }

  #serialize(): Promise<Snapshot> {
    const offset = this.#parsed
    return this.#held(async (emulator) => ({ size: emulator.size, bytes: await wholeSnapshot(emulator), offset }))
  }

  /** Holds this terminal's emulation while something is read in slices, over several turns of the event loop. */
  async #held<T>(read: (emulator: Emulator) => Promise<T>): Promise<T> {
    const emulator = this.#emulator
    this.#serializing = true
    try {
      return await read(emulator)
    } finally {
      this.#serializing = false
      if (this.#disposed) emulator.dispose()
      else if (this.#items.length > 0) this.#enqueue()
    }
  }

  #visible(): Snapshot {
    return { size: this.#emulator.size, bytes: visibleSnapshot(this.#emulator), offset: this.#parsed }
  }

  /** Previews are taken only where no sequence is cut in two, so that a client may continue from their offset. */
  #serveBoundary(): void {
    const head = this.#items[0]
    if (this.#atBoundary.length === 0 || this.#replaying || (head && 'passed' in head)) return
    if (head instanceof ByteQueue && !head.atBoundary) return
    for (const serve of this.#atBoundary.splice(0)) serve()
  }

  #noticeModes(): void {
    const modes = this.#emulator.remembered
    // A screen that is only half restored has modes that the program never chose.
    if (this.#replaying || sameModes(modes, this.#knownModes)) return
    this.#knownModes = modes
    this.#options.onModes(modes)
  }

  #restoreIfNeeded(): void {
    if (this.needsRestore) void this.#restore.ask(() => this.needsRestore)
  }
}
