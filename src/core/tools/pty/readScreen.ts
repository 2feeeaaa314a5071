import { screenPage } from '../../terminal/screenPages'
import type { Terminal } from '../../terminal/terminal'
import type { ReadArguments } from './readSchema'
import type { ViewAnswer } from './readTerminal'
import { readersOf } from './terminalOf'

/** What is shown now: every row, or those that have changed since a revision. */
export async function readScreen(
  terminal: Terminal,
  { format, since_revision: since, max_chars }: ReadArguments
): Promise<ViewAnswer> {
  const { plain, shown } = await terminal.screen.inspect((emulator) => ({
    plain: screenPage(emulator, 'plain'),
    shown: format === 'raw' ? screenPage(emulator, 'raw').rows : undefined
  }))
  const { revisions } = readersOf(terminal)
  const revision = revisions.look(plain.rows)
  const facts = { cursor: plain.cursor, alternate_screen: plain.isFullScreen, revision }
  if (since !== undefined) {
    const { kept, omitted } = fitting(revisions.since(since), ({ text }) => text, max_chars)
    return { ...facts, content: '', lines: 0, changed: kept, omitted }
  }
  const { kept, omitted } = fitting(shown ?? plain.rows, (row) => row, max_chars)
  return { ...facts, content: kept.join('\n'), lines: kept.length, omitted }
}

/** The first ones that fit, and how many characters the others have. */
export function fitting<T>(
  all: readonly T[],
  textOf: (one: T) => string,
  maxCharacters: number
): { kept: T[]; omitted: number } {
  let characters = -1
  let count = 0
  for (const one of all) {
    characters += textOf(one).length + 1
    if (characters > maxCharacters) break
    count++
  }
  const rest = all.slice(count)
  return { kept: all.slice(0, count), omitted: rest.reduce((sum, one) => sum + textOf(one).length + 1, 0) }
}
