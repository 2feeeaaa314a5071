import type { Terminal } from '@xterm/xterm'
import type { CommandRecord } from '../../../shared/terminal'
import { findCommands, wholeLines } from './commandLines'

/** A stretch of a terminal's text, under the command that printed it. */
export interface TextSection {
  /** Undefined for what stands before the first command that is known. */
  record: CommandRecord | undefined
  text: string
}

/** Everything the terminal holds, line by line as the program wrote it: what the screen broke is whole again. */
export function terminalLines(xterm: Terminal): string[] {
  const lines = wholeLines(xterm).map(({ text }) => text)
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return lines.slice(0, last + 1)
}

/** The lines under headings: each command stands at the end of the line on which it was typed. */
export function textSections(lines: readonly string[], records: readonly CommandRecord[]): TextSection[] {
  const sections: TextSection[] = []
  let record: CommandRecord | undefined
  let from = 0
  const whole = lines.map((text, row) => ({ row, text }))
  for (const { record: next, row } of findCommands(whole, records)) {
    sections.push({ record, text: lines.slice(from, row).join('\n') })
    record = next
    from = row + 1
  }
  sections.push({ record, text: lines.slice(from).join('\n') })
  return sections.filter((section) => section.record !== undefined || section.text.trim() !== '')
}
