import type { Terminal } from '@xterm/xterm'
import type { CommandRecord } from '../../../shared/terminal'

/** A stretch of a terminal's text, under the command that printed it. */
export interface TextSection {
  /** Undefined for what stands before the first command that is known. */
  record: CommandRecord | undefined
  text: string
}

/** Everything the terminal holds, line by line as the program wrote it: what the screen broke is whole again. */
export function terminalLines({ buffer: { active } }: Terminal): string[] {
  const lines: string[] = []
  for (let row = 0; row < active.length; row++) {
    const line = active.getLine(row)
    const text = line?.translateToString(true) ?? ''
    if (line?.isWrapped && lines.length > 0) lines.push(`${lines.pop()}${text}`)
    else lines.push(text)
  }
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return lines.slice(0, last + 1)
}

/** The lines under headings: each command stands at the end of the line on which it was typed. */
export function textSections(lines: readonly string[], records: readonly CommandRecord[]): TextSection[] {
  const sections: TextSection[] = []
  let record: CommandRecord | undefined
  let from = 0
  for (const next of records) {
    const typed = next.command.split('\n')[0]?.trimEnd() ?? ''
    const at = typed === '' ? -1 : lines.findIndex((line, row) => row >= from && line.trimEnd().endsWith(typed))
    if (at < 0) continue
    sections.push({ record, text: lines.slice(from, at).join('\n') })
    record = next
    from = at + 1
  }
  sections.push({ record, text: lines.slice(from).join('\n') })
  return sections.filter((section) => section.record !== undefined || section.text.trim() !== '')
}
