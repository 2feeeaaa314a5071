import type { BufferState, Emulator, IBuffer, StyledCell } from './emulator'
import { RowSerializer } from './rowSerializer'
import { DEFAULT_STYLE, sameStyle, sgr } from './styles'

const CSI = '\x1b['
const RESET = '\x1bc'
const BEGIN_UPDATE = `${CSI}?2026h`
const END_UPDATE = `${CSI}?2026l`
const TAB_COLUMNS = 8
/** Rows after which the clock is looked at. */
const ROWS_PER_PART = 25
/** How long a snapshot may hold the event loop at a time. */
const SLICE_MS = 5

/** History, screen and state, written over several turns of the event loop. Nothing may be parsed meanwhile. */
export async function wholeSnapshot(emulator: Emulator): Promise<Buffer> {
  // Encoded part by part: text put together character by character is made whole only when it is read, all at once.
  const parts: Buffer[] = []
  let sliceEnds = performance.now() + SLICE_MS
  for (const part of writeSnapshot(emulator, Infinity)) {
    parts.push(Buffer.from(part))
    if (performance.now() < sliceEnds) continue
    await new Promise(setImmediate)
    sliceEnds = performance.now() + SLICE_MS
  }
  return Buffer.concat(parts)
}

/** The visible screen and state, at once. */
export function visibleSnapshot(emulator: Emulator): Buffer {
  return Buffer.from([...writeSnapshot(emulator, 0)].join(''))
}

/**
 * The bytes that make any emulator of the same size look and behave like this one: RIS, rows, state. Yields parts of
 * bounded work. Repainting is wrapped in a synchronized update.
 */
function* writeSnapshot(emulator: Emulator, historyRows: number): Generator<string> {
  const { normal, active } = emulator.buffer
  yield RESET + BEGIN_UPDATE
  const history = normal.length - emulator.size.rows
  yield* rows(emulator, normal, Math.max(0, history - historyRows))
  if (active.type === 'alternate') {
    yield `${bufferState(emulator, emulator.state.buffers.normal)}${moveTo(emulator.state.buffers.normal)}${CSI}?1047h${CSI}H`
    yield* rows(emulator, active, 0)
  }
  yield bufferState(emulator, emulator.state.buffers.active) + tabs(emulator) + modes(emulator) + cursor(emulator)
}

function* rows(emulator: Emulator, buffer: IBuffer, first: number): Generator<string> {
  const serializer = serializerOf(emulator, buffer)
  let part = ''
  for (let row = first; row < buffer.length; row++) {
    part += serializer.row(row, row === buffer.length - 1)
    if ((row - first) % ROWS_PER_PART !== ROWS_PER_PART - 1) continue
    yield part
    part = ''
  }
  yield part
}

function serializerOf({ size, state }: Emulator, buffer: IBuffer): RowSerializer {
  return new RowSerializer(buffer, size.rows, (id) => state._oscLinkService.getLinkData(id))
}

/** The scroll region and the saved cursor, which belong to one of the two buffers. */
function bufferState(emulator: Emulator, buffer: BufferState): string {
  const { rows: screenRows } = emulator.size
  let text = ''
  if (buffer.scrollTop !== 0 || buffer.scrollBottom !== screenRows - 1) {
    text += `${CSI}${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`
  }
  const savedRow = Math.max(0, buffer.savedY - buffer.ybase)
  const style = buffer.savedCurAttrData
  if (savedRow !== 0 || buffer.savedX !== 0 || !sameStyle(style, DEFAULT_STYLE)) {
    text += `${CSI}${savedRow + 1};${buffer.savedX + 1}H${sgr(style)}\x1b7${CSI}0m`
  }
  return text
}

function moveTo({ x, y }: { x: number; y: number }): string {
  return `${CSI}${y + 1};${x + 1}H`
}

function tabs(emulator: Emulator): string {
  const { tabs: set } = emulator.state.buffers.active
  const columns = Array.from({ length: emulator.size.cols }, (_, column) => column)
  if (columns.every((column) => !!set[column] === (column % TAB_COLUMNS === 0))) return ''
  const stops = columns.filter((column) => set[column]).map((column) => `${CSI}${column + 1}G\x1bH`)
  return `${CSI}3g${stops.join('')}`
}

const MOUSE_TRACKING = { none: '', x10: '?9h', vt200: '?1000h', drag: '?1002h', any: '?1003h' } as const
const MOUSE_ENCODING: Record<string, string> = { SGR: '?1006h', SGR_PIXELS: '?1016h' }

/** Every mode that differs from a fresh terminal, except the two that change how the cursor is put in its place. */
function modes(emulator: Emulator): string {
  const current = emulator.modes
  const { state, remembered } = emulator
  const set = [
    current.applicationCursorKeysMode && '?1h',
    current.applicationKeypadMode && '?66h',
    current.bracketedPasteMode && '?2004h',
    current.reverseWraparoundMode && '?45h',
    current.sendFocusMode && '?1004h',
    state.coreService.isCursorHidden && '?25l',
    MOUSE_TRACKING[current.mouseTrackingMode],
    MOUSE_ENCODING[state.coreMouseService.activeEncoding],
    remembered.cursorShape > 0 && `${remembered.cursorShape} q`,
    current.originMode && '?6h'
  ]
  return set.map((mode) => (mode ? CSI + mode : '')).join('') + charsets(emulator)
}

/** Line drawing is the one character set still in use; its q is a horizontal line. */
function charsets({ state }: Emulator): string {
  const { glevel, _charsets } = state._charsetService
  const designated = ['(', ')', '*', '+'].map((slot, index) => (_charsets[index]?.q === '─' ? `\x1b${slot}0` : ''))
  const shift = ['', '\x0e', '\x1bn', '\x1bo'][glevel] ?? ''
  return designated.join('') + shift
}

/**
 * Puts cursor and pen in place. Where the last thing printed was a character, it is printed once more as the very last
 * thing: only so does the emulator know again that the line is full, or what a combining character belongs to.
 */
function cursor(emulator: Emulator): string {
  const { state, modes: current, size } = emulator
  const { x, y, scrollTop } = state.buffers.active
  const row = current.originMode ? y - scrollTop : y
  const serializer = serializerOf(emulator, emulator.buffer.active)
  const late = `${current.insertMode ? `${CSI}4h` : ''}${current.wraparoundMode ? '' : `${CSI}?7l`}`
  const before = cellBefore(emulator)
  const pen = state._inputHandler._curAttrData
  if (!before || drawsLines(emulator)) {
    return moveTo({ x: Math.min(x, size.cols - 1), y: row }) + serializer.pen(pen) + late + END_UPDATE
  }
  const place = moveTo({ x: x - before.getWidth(), y: row })
  // In insert mode printing would shift the line; what a combining character belongs to is not worth that.
  if (state._inputHandler._parser.precedingJoinState !== 0 && !current.insertMode) {
    return place + serializer.pen(pen) + late + END_UPDATE + before.getChars()
  }
  if (x < size.cols) return moveTo({ x, y: row }) + serializer.pen(pen) + late + END_UPDATE
  return place + serializer.pen(before) + (before.getChars() || ' ') + serializer.pen(pen) + late + END_UPDATE
}

/** A letter printed now would come out as a piece of a frame. */
function drawsLines({ state }: Emulator): boolean {
  const { glevel, _charsets } = state._charsetService
  return _charsets[glevel]?.q === '─'
}

/** The character that ends right before the cursor; at the end of a full line also a cell that was erased since. */
function cellBefore({ state, buffer, size }: Emulator): StyledCell | undefined {
  const { x, y, ybase } = state.buffers.active
  const line = buffer.active.getLine(ybase + y)
  for (const width of [1, 2]) {
    // Cells of the emulator are instances of the class whose fields StyledCell names.
    const cell = x >= width ? (line?.getCell(x - width) as StyledCell | undefined) : undefined
    if (cell?.getWidth() === width && (cell.getChars() !== '' || x === size.cols)) return cell
  }
  return undefined
}
