import type { Size } from '../../shared/terminal'
import { agentText } from './agentText'
import { Emulator, type IBuffer } from './emulator'
import { RowText } from './screenText'
import { visibleSnapshot } from './snapshotWriter'

/** A screen to go on from: what output does depends on what was there before it. */
export interface ScreenState {
  size: Size
  bytes: Buffer
}

/** Cells of history that one piece may fill before it is taken off. */
const HISTORY_CELLS = 1_000_000
const MAX_PIECE_BYTES = 4096
const ENDLESS_CHARACTERS = 65_536

/** The rows of one of the two buffers, and where its cursor was, before the output. */
interface Before {
  rows: string[]
  cursorRow: number
  /** What is written in the row of the cursor, up to the cursor. */
  prefix: string
}

/**
 * Output as a person saw it: the bytes go to an emulator that starts where the output started, and the text is what they
 * added or changed. Rows that scroll away are taken down as they go, so that nothing is lost, however much it is; what a
 * program clears away is kept too. A line that wraps is one line. While a full-screen program runs, its part is the rows
 * that changed.
 */
export class OutputText {
  readonly #emulator: Emulator
  readonly #normal: Before
  readonly #alternate: Before | undefined
  readonly #lines: Lines
  /** Rows that were taken down: the first row of the emulator has this number. */
  #firstRow = 0

  constructor(size: Size, before?: ScreenState) {
    const events = { answer: () => undefined, title: () => undefined }
    const history = Math.floor(HISTORY_CELLS / size.cols)
    this.#emulator = new Emulator(before?.size ?? size, history, events, { keepsErased: true })
    if (before) this.#emulator.write(before.bytes)
    this.#emulator.resize(size)
    this.#emulator.dropHistory()
    const { buffer, state } = this.#emulator
    this.#normal = lookBefore(buffer.normal, state.buffers.normal)
    this.#alternate = this.isFullScreen ? lookBefore(buffer.active, state.buffers.active) : undefined
    this.#lines = new Lines(this.#normal)
  }

  /** How many bytes may be given at once. */
  get pieceBytes(): number {
    const { rows, cols } = this.#emulator.size
    return Math.max(64, Math.min(MAX_PIECE_BYTES, Math.floor(HISTORY_CELLS / cols) - rows))
  }

  get isFullScreen(): boolean {
    return this.#emulator.buffer.active.type === 'alternate'
  }

  /** At least as long as the text is. */
  get mostCharacters(): number {
    const { rows, cols } = this.#emulator.size
    return this.#lines.characters + 2 * rows * (cols + 1)
  }

  /** The next piece of output. */
  add(bytes: Buffer): void {
    this.#emulator.write(bytes)
    const { normal } = this.#emulator.buffer
    const gone = normal.length - this.#emulator.size.rows
    if (gone <= 0) return
    const text = new RowText(normal)
    for (let row = 0; row < gone; row++) this.#take(this.#lines, { normal, text, row })
    this.#firstRow += gone
    this.#emulator.dropHistory()
  }

  text(): string {
    const lines = this.#lines.copy()
    const { normal, active } = this.#emulator.buffer
    const text = new RowText(normal)
    const last = lastRow(normal, this.#emulator.state.buffers.normal.y, text)
    for (let row = 0; row <= last; row++) this.#take(lines, { normal, text, row })
    if (!this.isFullScreen) return lines.text()
    const shown = changedRows(active, this.#alternate?.rows ?? []).join('\n')
    const before = lines.text()
    return before && shown ? `${before}${before.endsWith('\n') ? '' : '\n'}${shown}` : before || shown
  }

  /** Takes out the text that can change no more: `text` goes on after it. */
  drain(): string {
    return this.#lines.drain()
  }

  /** Where later output goes on. */
  state(): ScreenState {
    return { size: this.#emulator.size, bytes: visibleSnapshot(this.#emulator) }
  }

  dispose(): void {
    this.#emulator.dispose()
  }

  #take(lines: Lines, { normal, text, row }: { normal: IBuffer; text: RowText; row: number }): void {
    lines.add(this.#firstRow + row, text.whole(row), normal.getLine(row)?.isWrapped ?? false)
  }
}

/** Puts the rows that output added or changed together to lines. */
class Lines {
  readonly #before: Before
  #done: string[] = []
  #line: string | undefined
  #lastRow = -1
  #characters = 0

  constructor(before: Before) {
    this.#before = before
  }

  get characters(): number {
    return this.#characters
  }

  add(row: number, text: string, isWrapped: boolean): void {
    const added = this.#added(row, text)
    if (added === undefined) return
    const continues = isWrapped && this.#lastRow === row - 1
    if (continues && this.#line !== undefined) this.#line += added
    else this.#begin(added)
    this.#lastRow = row
    this.#characters += added.length + 1
  }

  /** Whole lines, and of one without end what there is. */
  drain(): string {
    const whole = this.#done.map((line) => `${line}\n`).join('')
    this.#done = []
    this.#characters = 0
    if (this.#line === undefined || this.#line.length < ENDLESS_CHARACTERS) return whole
    const endless = whole + this.#line
    this.#line = ''
    return endless
  }

  copy(): Lines {
    const copy = new Lines(this.#before)
    copy.#done = [...this.#done]
    copy.#line = this.#line
    copy.#lastRow = this.#lastRow
    return copy
  }

  text(): string {
    return [...this.#done, ...(this.#line === undefined ? [] : [this.#line])].join('\n')
  }

  #begin(text: string): void {
    if (this.#line !== undefined) this.#done.push(this.#line)
    this.#line = text
  }

  /** What is new in a row; undefined for one that was there before. */
  #added(row: number, text: string): string | undefined {
    const { rows, cursorRow, prefix } = this.#before
    const before = rows[row] ?? ''
    if (row === cursorRow && this.#line === undefined) {
      const known = [before, prefix].find((start) => text.startsWith(start))
      if (known !== undefined) return text.slice(known.length)
    }
    const wasThere = text === before && (row < cursorRow || text !== '')
    return wasThere ? undefined : text
  }
}

function lookBefore(buffer: IBuffer, { x, y }: { x: number; y: number }): Before {
  const text = new RowText(buffer)
  const rows = Array.from({ length: buffer.length }, (_, row) => text.whole(row))
  const start = buffer.getLine(buffer.baseY + y)?.translateToString(true, 0, x) ?? ''
  return { rows, cursorRow: y, prefix: agentText(start) }
}

/** The last row that has anything, or the cursor. */
function lastRow(buffer: IBuffer, cursorRow: number, text: RowText): number {
  let row = buffer.length - 1
  while (row > cursorRow && text.whole(row) === '') row--
  return row
}

function changedRows(buffer: IBuffer, before: readonly string[]): string[] {
  const text = new RowText(buffer)
  const rows = Array.from({ length: buffer.length }, (_, row) => text.text(row))
  const changed = rows.filter(
    (row, index) => row !== (before[index] ?? '').trimEnd() || (before.length === 0 && row === '')
  )
  while (changed.at(-1) === '') changed.pop()
  return changed
}
