import { scrollbackPage } from '../../terminal/screenPages'
import type { Terminal } from '../../terminal/terminal'
import type { ReadArguments } from './readSchema'
import { fitting } from './readScreen'
import type { ViewAnswer } from './readTerminal'

/** A page of history and screen. Of too much the end is kept: `offset` goes back from there. */
export async function readScrollback(
  terminal: Terminal,
  { format, offset, limit, max_chars }: ReadArguments
): Promise<ViewAnswer> {
  const { rows, totalLines, isFullScreen } = await terminal.screen.inspect(async (emulator) => ({
    ...(await scrollbackPage(emulator, { offset, limit, format })),
    isFullScreen: emulator.buffer.active.type === 'alternate'
  }))
  const { kept, omitted } = fitting(rows.reverse(), (row) => row, max_chars)
  return {
    content: kept.reverse().join('\n'),
    lines: kept.length,
    cursor: null,
    alternate_screen: isFullScreen,
    omitted,
    total_lines: totalLines
  }
}
