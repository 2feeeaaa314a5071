import type { Emulator } from './emulator'
import { RowText } from './screenText'

/** One line as a program printed it: rows that wrapped are one again. */
export interface ScreenLine {
  /** Its first row among history and screen, from 1. */
  row: number
  /** Where in the output it began; undefined when that was not seen. */
  offset: number | undefined
  text: string
}

/** A turn of the event loop reads for this long at most. */
const SLICE_MS = 4
/** The clock is looked at once for so many rows. */
const ROWS_PER_LOOK = 32
/** A line without end is read in parts. */
const MAX_LINE_ROWS = 64

/** Its beginning is looked for so far up. */
const MAX_CLIMB_ROWS = 512

/** The lines of history and screen, newest first, read in slices; the emulator must not go on meanwhile. */
export async function readLines(emulator: Emulator, signal: AbortSignal): Promise<ScreenLine[]> {
  const { active } = emulator.buffer
  const text = new RowText(active)
  const lines: ScreenLine[] = []
  let deadline = performance.now() + SLICE_MS
  let rest = ''
  let wrapped = 0
  let unlooked = 0
  for (let row = active.length - 1; row >= 0; row--) {
    rest = text.whole(row) + rest
    wrapped++
    unlooked++
    if (active.getLine(row)?.isWrapped && wrapped < MAX_LINE_ROWS && row > 0) continue
    if (lines.length > 0 || rest.trim() !== '')
      lines.push({ row: row + 1, offset: beginning(emulator, row), text: rest })
    rest = ''
    wrapped = 0
    if (unlooked < ROWS_PER_LOOK) continue
    unlooked = 0
    if (performance.now() < deadline) continue
    await nextTurn()
    signal.throwIfAborted()
    deadline = performance.now() + SLICE_MS
  }
  return lines
}

/** A row that was wrapped into began with the line it belongs to. */
function beginning(emulator: Emulator, row: number): number | undefined {
  const { active } = emulator.buffer
  const limit = Math.max(0, row - MAX_CLIMB_ROWS)
  let first = row
  while (first > limit && active.getLine(first)?.isWrapped) first--
  return active.getLine(first)?.isWrapped ? undefined : emulator.rowOffset(first)
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
