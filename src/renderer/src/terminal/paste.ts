import type { Terminal } from '@xterm/xterm'
import { ask } from '../stores/questions'
import { settingValues } from '../stores/settings'
import { strings } from '../strings'
import { cleanPaste } from './clipboard'

// Enough to recognise what it is; the rest is counted.
const MAX_SHOWN_LINES = 12

/**
 * Types text into the terminal. A program that marks pastes gets it whole; one that does not would run line by line, so
 * the person is asked first.
 */
export async function pasteText(xterm: Terminal, text: string): Promise<void> {
  const clean = cleanPaste(text)
  if (clean === '') return
  const lines = clean.split(/\r\n|\r|\n/)
  const runsLines = lines.length > 1 && !xterm.modes.bracketedPasteMode && settingValues().paste_warning
  if (runsLines && !(await isMeant(lines))) return xterm.focus()
  xterm.paste(clean)
  xterm.focus()
}

function isMeant(lines: string[]): Promise<boolean> {
  const words = strings.paste
  const more = lines.length - MAX_SHOWN_LINES
  const shown = lines.slice(0, MAX_SHOWN_LINES).join('\n')
  return ask({
    title: words.title(lines.length),
    text: words.text,
    quote: more > 0 ? `${shown}\n${words.more(more)}` : shown,
    confirm: words.confirm
  })
}
