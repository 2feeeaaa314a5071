import type { Size } from '../../../shared/terminal'
import { agentText } from '../../terminal/agentText'
import { renderOutput } from '../../terminal/renderOutput'

export interface CommandText {
  text: string
  /** Bytes that the text stands for. */
  taken: number
  /** Characters left out. */
  omitted: number
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor is looked for
const NEEDS_SCREEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\r*\n)/
// What a shell sends to leave its own line: fish sets a title and resets its colours there.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is skipped
const LINE_START = /^(?:(?:\x1b\[30m)?\x1b\(B\x1b\[m|\x1b\[0?m|\x1b\[\?2004l|\x1b\]0;[^\x07]*\x07|\r)+/
const MAX_LINE_START_BYTES = 1024
const LINE_END = /\r+\n/g

/**
 * What a command printed, as plain text without its last newline: as it stands where nothing moves the cursor (so that
 * tabs stay tabs), otherwise as a person saw it. Of too much the beginning is kept.
 */
export async function commandText(
  bytes: Buffer,
  { size, maxCharacters }: { size: Size; maxCharacters: number }
): Promise<CommandText> {
  const start = LINE_START.exec(bytes.toString('latin1', 0, MAX_LINE_START_BYTES))?.[0].length ?? 0
  const raw = bytes.toString('utf8', start)
  if (!NEEDS_SCREEN.test(raw)) return plain(raw, maxCharacters, { start, length: bytes.length })
  const { text, taken, omitted } = await renderOutput({ bytes, size, before: undefined, maxCharacters })
  return { text: omitted === 0 ? withoutLastNewline(text.trimEnd() === '' ? '' : text) : text, taken, omitted }
}

function plain(raw: string, maxCharacters: number, { start, length }: { start: number; length: number }): CommandText {
  const whole = raw.replace(LINE_END, '\n')
  const text = agentText(withoutLastNewline(whole))
  if (text.length <= maxCharacters) return { text, taken: length, omitted: 0 }
  const rawCut = wholeCharacters(raw, rawLength(raw, maxCharacters))
  const kept = agentText(rawCut.replace(LINE_END, '\n')).slice(0, maxCharacters)
  return { text: kept, taken: start + Buffer.byteLength(rawCut), omitted: text.length - kept.length }
}

/** How much of the text as it was printed gives so many characters. */
function rawLength(raw: string, characters: number): number {
  let removed = 0
  for (const { 0: end, index } of raw.matchAll(LINE_END)) {
    if (index - removed >= characters) break
    removed += end.length - 1
  }
  return characters + removed
}

function wholeCharacters(text: string, length: number): string {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(length - 1))
  return text.slice(0, isHalf ? length - 1 : length)
}

function withoutLastNewline(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}
