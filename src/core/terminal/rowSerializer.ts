import type { IBuffer, IBufferLine, Style, StyledCell } from './emulator'
import { colourOf, copyOf, DEFAULT_STYLE, sameStyle, sgr } from './styles'

const CSI = '\x1b['
/** Means nothing to a terminal, but keeps apart two characters that were not printed as one. */
const NUL = '\0'
const JOINER = '\u200d'
const FIRST_COMBINING = 0x300
/** Marks, selectors, regional indicators, skin tones and Hangul parts. */
const JOINS_WHAT_IS_BEFORE = /^(?:\p{M}|\u200d|[\u{1f1e6}-\u{1f1ff}]|[\u{1f3fb}-\u{1f3ff}]|[\u1160-\u11ff])/u

export type LinkLookup = (id: number) => { uri: string; id?: string } | undefined

/** Empty cells at the end of a row, over which the cursor has not moved. */
interface Trailing {
  count: number
  bg: number
}

/**
 * Writes rows of a buffer as the bytes that draw them on an empty screen, in order, from the first row asked for to the
 * last. Lines are always begun with a plain pen, because a line that scrolls in is filled with the pen's background.
 */
export class RowSerializer {
  readonly #buffer: IBuffer
  readonly #link: LinkLookup
  readonly #canStepBack: boolean
  readonly #cell: StyledCell
  #pen: Style = DEFAULT_STYLE
  #text = ''

  constructor(buffer: IBuffer, rows: number, link: LinkLookup) {
    this.#buffer = buffer
    this.#link = link
    this.#canStepBack = rows > 1
    // A null cell of the emulator is an instance of the class whose fields Style names.
    this.#cell = buffer.getNullCell() as StyledCell
  }

  /** One row and the way to the next one; the last row is followed by nothing but a plain pen. */
  row(index: number, isLast: boolean): string {
    this.#text = ''
    const line = this.#buffer.getLine(index)
    if (!line) return ''
    const trailing = this.#cells(line)
    const next = isLast ? undefined : this.#buffer.getLine(index + 1)
    if (!next?.isWrapped) this.#plainPen()
    if (next) this.#advance(line.length, next, trailing)
    return this.#text
  }

  /** The pen of `style`, as one sequence. */
  pen(style: Style): string {
    this.#text = ''
    this.#takePen(style)
    return this.#text
  }

  #advance(columns: number, next: IBufferLine, trailing: Trailing): void {
    if (!next.isWrapped) this.#text += '\r\n'
    else if (!this.#wrapsByItself(next, trailing)) this.#forceWrap(columns, trailing)
  }

  /** Draws the cells; returns the run of empty ones at the end, over which the cursor has not moved. */
  #cells(line: IBufferLine): Trailing {
    const cell = this.#cell
    let blanks = 0
    let blankBg = 0
    let wasWide = false
    for (let column = 0; column < line.length; column++) {
      line.getCell(column, cell)
      const width = cell.getWidth()
      const chars = cell.getChars()
      // The second half of a wide character; left alone by an insertion or deletion it is a blank like any other.
      const isSecondHalf = wasWide && (width === 0 || chars === '')
      const isOnTop = wasWide && !isSecondHalf
      wasWide = width === 2
      if (isSecondHalf) continue
      if (isOnTop) {
        this.#onTop(chars)
        continue
      }
      // Only a plain empty cell can be skipped or erased; one with other attributes looks like a styled space.
      const isBlank = chars === '' && cell.fg === 0 && cell.bg === colourOf(cell.bg)
      if (blanks > 0 && (!isBlank || cell.bg !== blankBg)) {
        this.#skip(blanks, blankBg)
        blanks = 0
      }
      if (isBlank) {
        blanks++
        blankBg = cell.bg
      } else this.#character(chars || ' ', column === 0 && line.isWrapped)
    }
    if (blanks > 0 && blankBg !== 0) this.#erase(blanks, blankBg)
    return { count: blanks, bg: blankBg }
  }

  #character(chars: string, beganByWrapping: boolean): void {
    this.#takePen(this.#cell)
    if (chars.charCodeAt(0) >= FIRST_COMBINING && JOINS_WHAT_IS_BEFORE.test(chars)) this.#text += NUL
    this.#text += chars
    if (chars.endsWith(JOINER)) this.#text += NUL
    if (!beganByWrapping || colourOf(this.#pen.bg) === 0) return
    // The wrap may have scrolled in a line of this background.
    this.#plainPen()
    this.#text += `${CSI}K`
  }

  // Without automatic wrapping a character at the end of a row is drawn over the second half of a wide one.
  #onTop(chars: string): void {
    this.#text += `${CSI}?7l`
    this.#character(chars, false)
    this.#text += `${CSI}?7h`
  }

  #skip(count: number, bg: number): void {
    if (bg !== 0) this.#erase(count, bg)
    this.#text += `${CSI}${count}C`
  }

  #erase(count: number, bg: number): void {
    this.#takePen({ ...DEFAULT_STYLE, bg })
    this.#text += `${CSI}${count}X`
  }

  /** Printing the next row's first character goes on to the next row, and changes nothing in this one. */
  #wrapsByItself(next: IBufferLine, trailing: Trailing): boolean {
    // Cells of the emulator are instances of the class whose fields StyledCell names.
    const first = next.getCell(0, this.#cell) as StyledCell | undefined
    if (!first || first.getChars() === '') return false
    if (trailing.count === 0) return true
    // A wide character that does not fit leaves a blank of its own style behind.
    return trailing.count === 1 && first.getWidth() === 2 && sameStyle(first, { ...DEFAULT_STYLE, bg: trailing.bg })
  }

  /** Fills the row so that it wraps, then takes the filling away again. */
  #forceWrap(columns: number, trailing: Trailing): void {
    this.#plainPen()
    if (!this.#canStepBack) {
      this.#text += '\r\n'
      return
    }
    this.#text += `${' '.repeat(trailing.count + 1)}\b${CSI}X`
    if (trailing.count === 0) return
    this.#text += `${CSI}A${CSI}${columns - trailing.count + 1}G`
    this.#erase(trailing.count, trailing.bg)
    this.#plainPen()
    this.#text += `${CSI}B\r`
  }

  #plainPen(): void {
    this.#takePen(DEFAULT_STYLE)
  }

  #takePen(style: Style): void {
    if (sameStyle(style, this.#pen)) return
    const pen = copyOf(style)
    if (pen.extended.urlId !== this.#pen.extended.urlId) this.#text += this.#linkTo(pen.extended.urlId)
    this.#text += sgr(pen)
    this.#pen = pen
  }

  #linkTo(urlId: number): string {
    const link = urlId === 0 ? undefined : this.#link(urlId)
    return `\x1b]8;${link?.id ? `id=${link.id}` : ''};${link?.uri ?? ''}\x1b\\`
  }
}
