import { Emulator } from '../../src/core/terminal/emulator'

/**
 * What a person would see after these bytes: the rows of history and screen, right-trimmed, without blank rows at the end.
 * Measured as the window does, graphemes included: a snapshot says where its cursor is, and that must mean the same cell.
 */
export async function render(bytes: Buffer, { columns = 80, rows = 24 } = {}): Promise<string[]> {
  const nobody = { answer: () => undefined, title: () => undefined }
  const emulator = new Emulator({ cols: columns, rows }, 20_000, nobody)
  emulator.write(bytes)
  const { active } = emulator.buffer
  const lines = Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString().trimEnd() ?? ''
  )
  emulator.dispose()
  while (lines.at(-1) === '') lines.pop()
  return lines
}
