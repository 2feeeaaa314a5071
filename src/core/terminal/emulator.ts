import type { IBuffer, IBufferCell, IBufferLine, IModes } from '@xterm/headless'
import xterm from '@xterm/headless'
import { limitLinks } from '../../shared/limitLinks'
import { limitMarks } from '../../shared/limitMarks'
import { limitRepeats } from '../../shared/limitRepeats'
import { limitStrings } from '../../shared/limitStrings'
import type { Size } from '../../shared/terminal'
import type { RememberedModes } from '../backends/backend'
import { RowOffsets } from './rowOffsets'

export type { IBuffer, IBufferLine, IModes }

/** Colours and flags of a cell or of the pen, packed as the emulator keeps them. */
export interface Style {
  fg: number
  bg: number
  extended: { ext: number; urlId: number }
}
export type StyledCell = IBufferCell & Style

/** A row as the emulator keeps it: three numbers a cell, of which the last two are its style. */
export interface RowState {
  _line: { _data: Uint32Array; getTrimmedLength(): number }
}

/** Takes the characters from `start` up to `end`. */
type PrintHandler = (text: Uint32Array, start: number, end: number) => void
type Charset = Record<string, string> | undefined

export interface BufferState {
  x: number
  y: number
  ybase: number
  scrollTop: number
  scrollBottom: number
  savedX: number
  savedY: number
  savedCurAttrData: Style
  tabs: Record<number, boolean | undefined>
  ydisp: number
  lines: { length: number; get(index: number): RowState['_line'] | undefined; trimStart(count: number): void }
}

/** State that the emulator has and its typings do not show. The package is pinned to one version for this. */
export interface EmulatorState {
  writeSync(bytes: Uint8Array): void
  buffers: { normal: BufferState; active: BufferState }
  coreService: { isCursorHidden: boolean }
  coreMouseService: { activeEncoding: string }
  _inputHandler: {
    _curAttrData: Style
    _parser: { precedingJoinState: number; setPrintHandler(handler: PrintHandler): void }
    print: PrintHandler
  }
  _charsetService: { glevel: number; _charsets: Charset[] }
  _oscLinkService: { getLinkData(id: number): { uri: string; id?: string } | undefined }
}

/**
 * The addon unpacks its tables from the start of a Buffer's memory, which holds something else when the Buffer comes
 * out of Node's pool: then an emoji has width 1 here and 2 in the window. So it is loaded with the pool off.
 */
async function loadGraphemes(): Promise<typeof import('@xterm/addon-unicode-graphemes')> {
  const poolSize = Buffer.poolSize
  Buffer.poolSize = 0
  try {
    return await import('@xterm/addon-unicode-graphemes')
  } finally {
    Buffer.poolSize = poolSize
  }
}

const { UnicodeGraphemesAddon } = await loadGraphemes()

export interface EmulatorEvents {
  answer(data: string): void
  title(title: string): void
}

export interface EmulatorOptions {
  /** What a program erases by clearing the whole screen goes to the history first. */
  keepsErased?: boolean
}

/** One headless emulator, written to synchronously so that what it has parsed is always exactly known. */
export class Emulator {
  readonly #term: xterm.Terminal
  readonly #rowOffsets: RowOffsets
  #cursorShape = 0

  constructor(size: Size, scrollback: number, events: EmulatorEvents, { keepsErased = false }: EmulatorOptions = {}) {
    // windowOptions stay at their default, all off: nothing printed may ask about or change a window.
    this.#term = new xterm.Terminal({
      ...size,
      scrollback,
      allowProposedApi: true,
      logLevel: 'off',
      scrollOnEraseInDisplay: keepsErased
    })
    // The addon's typings name the browser's Terminal; it only touches `unicode`, which both have.
    this.#term.loadAddon(new UnicodeGraphemesAddon() as unknown as xterm.ITerminalAddon)
    this.#term.onData((data) => events.answer(data))
    this.#term.onTitleChange((title) => events.title(title))
    this.#watchCursorShape()
    limitLinks(this.#term)
    limitMarks(this.#term)
    limitRepeats(this.#term)
    limitStrings(this.#term)
    this.#rowOffsets = new RowOffsets(this.state)
  }

  get state(): EmulatorState {
    // The public Terminal wraps the core that holds these members; addons reach them the same way.
    return (this.#term as unknown as { _core: EmulatorState })._core
  }

  get size(): Size {
    return { rows: this.#term.rows, cols: this.#term.cols }
  }

  get buffer(): { active: IBuffer; normal: IBuffer; alternate: IBuffer } {
    return this.#term.buffer
  }

  get modes(): IModes {
    return this.#term.modes
  }

  get remembered(): RememberedModes {
    const { bracketedPasteMode, sendFocusMode } = this.#term.modes
    return { bracketedPaste: bracketedPasteMode, focusReporting: sendFocusMode, cursorShape: this.#cursorShape }
  }

  /** Row and column from 0; a full line has the cursor at its last column. */
  get cursor(): { row: number; column: number } {
    const { x, y } = this.state.buffers.active
    return { row: y, column: Math.min(x, this.#term.cols - 1) }
  }

  /** Forgets all rows above the visible ones. */
  dropHistory(): void {
    const { normal } = this.state.buffers
    const count = normal.lines.length - this.#term.rows
    if (count <= 0) return
    normal.lines.trimStart(count)
    normal.ybase -= count
    normal.ydisp = normal.ybase
    normal.savedY = Math.max(0, normal.savedY - count)
  }

  /** `offset`: where these bytes lie in the terminal's output; absent for those that only draw it again. */
  write(bytes: Uint8Array, offset?: number): void {
    if (bytes.length === 0) return
    if (offset === undefined) this.state.writeSync(bytes)
    else this.#rowOffsets.during(bytes, offset, () => this.state.writeSync(bytes))
  }

  /** Where in the output the text of a row of the active buffer began; undefined when that was not seen. */
  rowOffset(row: number): number | undefined {
    return this.#rowOffsets.of(row)
  }

  resize({ cols, rows }: Size): void {
    this.#term.resize(cols, rows)
  }

  dispose(): void {
    this.#term.dispose()
  }

  #watchCursorShape(): void {
    const { parser } = this.#term
    const reset = (): boolean => {
      this.#cursorShape = 0
      return false
    }
    parser.registerCsiHandler({ intermediates: ' ', final: 'q' }, ([shape]) => {
      if (typeof shape === 'number' && shape <= 6) this.#cursorShape = shape
      return false
    })
    parser.registerEscHandler({ final: 'c' }, reset)
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, reset)
  }
}
