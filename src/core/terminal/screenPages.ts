import type { Size } from '../../shared/terminal'
import type { Emulator, IBuffer } from './emulator'
import { RowSerializer } from './rowSerializer'
import { RowText } from './screenText'

/** `plain`: text alone. `raw`: with the sequences that colour it. */
export type RowFormat = 'plain' | 'raw'

export interface ScreenPage {
  rows: string[]
  /** From 1. */
  cursor: { row: number; col: number }
  size: Size
  isFullScreen: boolean
}

export interface ScrollbackPage {
  /** Oldest first. */
  rows: string[]
  totalLines: number
  size: Size
}

/** Rows after which the clock is looked at, and how long the event loop may be held at a time. */
const ROWS_PER_LOOK = 25
const SLICE_MS = 4

/** The visible screen: exactly its rows. */
export function screenPage(emulator: Emulator, format: RowFormat): ScreenPage {
  const { buffer, size, cursor } = emulator
  const row = rowReader(emulator, buffer.active, format)
  return {
    rows: Array.from({ length: size.rows }, (_, index) => row(buffer.active.baseY + index)),
    cursor: { row: cursor.row + 1, col: cursor.column + 1 },
    size,
    isFullScreen: buffer.active.type === 'alternate'
  }
}

/** History and visible screen as one list without the blank rows at its end; `offset` counts back from the last. */
export async function scrollbackPage(
  emulator: Emulator,
  { offset, limit, format }: { offset: number; limit: number; format: RowFormat }
): Promise<ScrollbackPage> {
  const { buffer, size } = emulator
  const history = buffer.normal.length - size.rows
  const past = { is: rowReader(emulator, buffer.normal, 'plain'), as: rowReader(emulator, buffer.normal, format) }
  const now = { is: rowReader(emulator, buffer.active, 'plain'), as: rowReader(emulator, buffer.active, format) }
  const read = (row: number, how: 'is' | 'as') =>
    row < history ? past[how](row) : now[how](row - history + buffer.active.baseY)
  const pause = pauses()
  let total = history + size.rows
  while (total > 0 && read(total - 1, 'is') === '') {
    total--
    await pause()
  }
  const end = Math.max(0, total - offset)
  const rows: string[] = []
  for (let row = Math.max(0, end - limit); row < end; row++) {
    rows.push(read(row, 'as'))
    await pause()
  }
  return { rows, totalLines: total, size }
}

function rowReader(emulator: Emulator, buffer: IBuffer, format: RowFormat): (row: number) => string {
  if (format === 'plain') {
    const text = new RowText(buffer)
    return (row) => text.text(row)
  }
  const { size, state } = emulator
  const serializer = new RowSerializer(buffer, size.rows, (id) => state._oscLinkService.getLinkData(id))
  return (row) => serializer.row(row, true)
}

/** Gives the event loop its turn now and then. */
function pauses(): () => Promise<void> | undefined {
  let count = 0
  let sliceEnds = performance.now() + SLICE_MS
  return () => {
    if (++count % ROWS_PER_LOOK !== 0 || performance.now() < sliceEnds) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        sliceEnds = performance.now() + SLICE_MS
        resolve()
      })
    )
  }
}
