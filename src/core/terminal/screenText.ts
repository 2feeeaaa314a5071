import type { Emulator } from './emulator'

/** Exactly the visible rows, right-trimmed. */
export function screenRows({ buffer, size }: Emulator): string[] {
  const { active } = buffer
  return Array.from(
    { length: size.rows },
    (_, row) =>
      active
        .getLine(active.baseY + row)
        ?.translateToString(true)
        .trimEnd() ?? ''
  )
}

/** History and visible screen as one list, oldest first, without the blank rows at the end. */
export function scrollbackRows({ buffer }: Emulator): string[] {
  const { active } = buffer
  const rows = Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString(true).trimEnd() ?? ''
  )
  while (rows.at(-1) === '') rows.pop()
  return rows
}
