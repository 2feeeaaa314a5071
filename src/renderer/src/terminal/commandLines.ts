import type { Terminal } from '@xterm/xterm'
import type { CommandRecord } from '../../../shared/terminal'

/** A line as the program wrote it: what the screen broke is whole again. */
export interface WholeLine {
  /** The row of the buffer on which it begins. */
  row: number
  text: string
}

/** The lines of the terminal from a row on. */
export function wholeLines({ buffer: { active } }: Terminal, from = 0): WholeLine[] {
  const lines: WholeLine[] = []
  for (let row = from; row < active.length; row++) {
    const line = active.getLine(row)
    const text = line?.translateToString(true) ?? ''
    const last = line?.isWrapped ? lines.at(-1) : undefined
    if (last) last.text += text
    else lines.push({ row, text })
  }
  return lines
}

export interface FoundCommand {
  record: CommandRecord
  row: number
}

/**
 * Where commands stand: each at the end of a line, after the prompt, in their order. A line that only ends alike is told
 * from the prompt's by what stands before the text, which is no letter.
 */
export function findCommands(lines: readonly WholeLine[], records: readonly CommandRecord[]): FoundCommand[] {
  const found: FoundCommand[] = []
  let next = 0
  for (const record of records) {
    const typed = record.command.split('\n')[0]?.trimEnd() ?? ''
    const at = typed === '' ? -1 : lines.findIndex(({ text }, index) => index >= next && endsWith(text, typed))
    const line = lines[at]
    if (!line) continue
    found.push({ record, row: line.row })
    next = at + 1
  }
  return found
}

function endsWith(text: string, typed: string): boolean {
  const line = text.trimEnd()
  return line.endsWith(typed) && !/[\p{L}\p{N}_]/u.test(line.charAt(line.length - typed.length - 1))
}
