import { agentText, note } from './agentText'
import type { Emulator, IBuffer, IBufferLine, RowState, StyledCell } from './emulator'
import { isSuspect, type Readability, readabilityOf } from './readability'

const NUMBERS_PER_CELL = 3
/** Drawn rather than written: of these the colour is what a person sees. */
const DRAWN = /^[\s\u2500-\u259f]*$/u

/** Exactly the visible rows, right-trimmed, as an agent may read them. */
export function screenRows({ buffer, size }: Emulator): string[] {
  const { active } = buffer
  const rows = new RowText(active)
  return Array.from({ length: size.rows }, (_, row) => rows.text(active.baseY + row))
}

/** History and visible screen as one list, oldest first, without the blank rows at the end. */
export function scrollbackRows({ buffer }: Emulator): string[] {
  const { active } = buffer
  const text = new RowText(active)
  const rows = Array.from({ length: active.length }, (_, row) => text.text(row))
  while (rows.at(-1) === '') rows.pop()
  return rows
}

/**
 * The rows of a buffer as an agent may read them: what a person sees, and a note where a program wrote something that
 * cannot be seen (concealed, or in the colour of its ground). The concealed words themselves are left out.
 */
export class RowText {
  readonly #buffer: IBuffer
  readonly #cell: StyledCell

  constructor(buffer: IBuffer) {
    this.#buffer = buffer
    // A null cell of the emulator is an instance of the class whose fields StyledCell names.
    this.#cell = buffer.getNullCell() as StyledCell
  }

  /** One row, right-trimmed; empty where there is none. */
  text(index: number): string {
    return this.whole(index).trimEnd()
  }

  /** One row with the blanks a program wrote at its end: what a row that wraps is continued from. */
  whole(index: number): string {
    const line = this.#buffer.getLine(index)
    if (!line) return ''
    return agentText(hasSuspect(line) ? this.#seen(line) : line.translateToString(true))
  }

  #seen(line: IBufferLine): string {
    const text = new SeenText()
    const cell = this.#cell
    const length = writtenLength(line, cell)
    for (let column = 0; column < length; column++) {
      line.getCell(column, cell)
      if (cell.getWidth() === 0) continue
      const characters = cell.getChars()
      text.add(characters || ' ', DRAWN.test(characters) ? undefined : readabilityOf(cell))
    }
    return text.end()
  }
}

/** Puts a row together from runs that are equally well readable; blanks belong to the run around them. */
class SeenText {
  #done = ''
  #run = ''
  #blanks = ''
  #kind: Readability = 'readable'

  add(characters: string, kind: Readability | undefined): void {
    if (kind === undefined) {
      this.#blanks += characters
      return
    }
    if (kind !== this.#kind) {
      this.#close()
      this.#kind = kind
    }
    this.#run += this.#blanks + characters
    this.#blanks = ''
  }

  end(): string {
    this.#close()
    return this.#done
  }

  #close(): void {
    this.#done += noted(this.#run, this.#kind) + this.#blanks
    this.#run = ''
    this.#blanks = ''
  }
}

function noted(run: string, kind: Readability): string {
  if (kind === 'readable') return run
  return kind === 'hidden' ? note(`${[...run].length} hidden characters`) : note(`faint: ${run}`)
}

function writtenLength(line: IBufferLine, cell: StyledCell): number {
  let length = line.length
  while (length > 0 && line.getCell(length - 1, cell)?.getChars() === '' && cell.getWidth() !== 0) length--
  return length
}

function hasSuspect(line: IBufferLine): boolean {
  // Rows are wrapped by the emulator's public face; looking at each cell through it costs ten times as much.
  const { _data: cells } = (line as unknown as RowState)._line
  const end = line.length * NUMBERS_PER_CELL
  for (let at = 0; at < end; at += NUMBERS_PER_CELL) {
    if (isSuspect(cells[at + 1] ?? 0, cells[at + 2] ?? 0)) return true
  }
  return false
}
