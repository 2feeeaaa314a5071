import type { RestoredScreen } from '../backend'
import type { PaneState } from './paneState'
import { Pen } from './pen'

/** What tmux captured of one pane, all of it at the same moment. */
export interface Captures {
  state: PaneState
  /** History above the screen; wrapped rows joined. */
  history: string
  /** The screen as one text; wrapped rows joined, so that they wrap again where they did. */
  joined: string
  /** The screen row by row. */
  rows: string
  /** With the alternate screen on: the primary screen behind it. */
  primary: string | undefined
  pending: Buffer
}

// Captured line drawing switches to G1 and back.
const LINE_DRAWING = '\x1b)0'
const PLAIN_G1 = '\x1b)B'
const RESET_PEN = '\x1b[m'

/** The bytes that bring a fresh emulator of the same size to the captured state. */
export function restoredScreen({ state, history, joined, rows, primary, pending }: Captures): RestoredScreen {
  const scrolled = state.flag('history_size') ? history : ''
  const text = LINE_DRAWING + flowing(scrolled + (primary ?? joined)) + RESET_PEN
  const alternate = primary === undefined ? '' : alternateScreen(state, rows)
  const bytes = text + alternate + PLAIN_G1 + modes(state) + title(state) + cursor(state, rows)
  return {
    size: { rows: state.number('pane_height'), cols: state.number('pane_width') },
    bytes: Buffer.from(bytes),
    pending
  }
}

/** Lines one after the other, the way they were printed: what does not fit scrolls into history. */
function flowing(captured: string): string {
  const pen = new Pen()
  const lines = captured.replace(/\n$/, '').split('\n')
  return lines
    .map((line) => {
      const before = pen.sequence
      pen.follow(line)
      return `${before}${line}${RESET_PEN}`
    })
    .join('\r\n')
}

function alternateScreen(state: PaneState, rows: string): string {
  const behind = position(state.number('alternate_saved_y'), state.number('alternate_saved_x'))
  const drawn = splitRows(rows).map((row, index) => position(index, 0) + row)
  return `${behind}\x1b[?1049h${drawn.join('')}${RESET_PEN}`
}

function splitRows(rows: string): string[] {
  const pen = new Pen()
  return rows
    .replace(/\n$/, '')
    .split('\n')
    .map((row) => {
      const before = pen.sequence
      pen.follow(row)
      return `${before}${row}${RESET_PEN}`
    })
}

function modes(state: PaneState): string {
  const { bracketedPaste, focusReporting, cursorShape } = state.modes
  return [
    tabs(state),
    state.flag('insert_flag') ? '\x1b[4h' : '',
    state.flag('keypad_cursor_flag') ? '\x1b[?1h' : '',
    state.flag('keypad_flag') ? '\x1b=' : '',
    state.flag('mouse_standard_flag') ? '\x1b[?1000h' : '',
    state.flag('mouse_button_flag') ? '\x1b[?1002h' : '',
    state.flag('mouse_all_flag') ? '\x1b[?1003h' : '',
    state.flag('mouse_utf8_flag') ? '\x1b[?1005h' : '',
    state.flag('mouse_sgr_flag') ? '\x1b[?1006h' : '',
    bracketedPaste ? '\x1b[?2004h' : '',
    focusReporting ? '\x1b[?1004h' : '',
    cursorShape ? `\x1b[${cursorShape} q` : '',
    state.flag('cursor_flag') ? '' : '\x1b[?25l'
  ].join('')
}

function tabs(state: PaneState): string {
  const stops = state.text('pane_tabs').split(',').filter(Boolean).map(Number)
  const usual = stops.every((stop, index) => stop === (index + 1) * 8)
  if (usual && stops.length === Math.floor((state.number('pane_width') - 1) / 8)) return ''
  return `\x1b[3g${stops.map((stop) => `${position(0, stop)}\x1bH`).join('')}`
}

// tmux gives a pane that never set a title the host's name.
function title(state: PaneState): string {
  const text = state.text('pane_title')
  return text === '' || text === state.text('host') ? '' : `\x1b]2;${text}\x07`
}

/** Region, origin and wrap mode go before the cursor, because setting them moves it or changes what a position means. */
function cursor(state: PaneState, rows: string): string {
  const upper = state.number('scroll_region_upper')
  const lower = state.number('scroll_region_lower')
  const height = state.number('pane_height')
  const region = upper === 0 && lower === height - 1 ? '' : `\x1b[${upper + 1};${lower + 1}r`
  const isOrigin = state.flag('origin_flag')
  const row = state.number('cursor_y') - (isOrigin ? upper : 0)
  const wrap = state.flag('wrap_flag') ? '' : '\x1b[?7l'
  return region + (isOrigin ? '\x1b[?6h' : '') + place(state, row, rows) + wrap
}

// A cursor beyond the last column waits to wrap; only printing the row again brings an emulator there.
function place(state: PaneState, row: number, rows: string): string {
  const column = state.number('cursor_x')
  if (column < state.number('pane_width')) return position(row, column)
  return position(row, 0) + LINE_DRAWING + (splitRows(rows)[state.number('cursor_y')] ?? '') + PLAIN_G1
}

function position(row: number, column: number): string {
  return `\x1b[${row + 1};${column + 1}H`
}
