import type { Terminal } from '@xterm/xterm'
import { settingValues } from '../stores/settings'
import { showNotice } from '../stores/toasts'
import { strings } from '../strings'
import { copyText } from './clipboard'

const CLIPBOARD_SEQUENCE = 52
const MAX_BYTES = 1_048_576
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * A program may put text into the clipboard only where the person allowed it, and only from the terminal that has the
 * keyboard; each time is told. It never learns what is in there: such a question is not answered at all.
 */
export function installProgramClipboard(xterm: Terminal, element: HTMLElement): void {
  xterm.parser.registerOscHandler(CLIPBOARD_SEQUENCE, (data) => {
    const text = writtenText(data)
    const isAllowed = settingValues().clipboard_write === 'allow'
    const isInUse = document.hasFocus() && element.contains(document.activeElement)
    if (text !== undefined && isAllowed && isInUse) void write(text)
    return true
  })
}

/** The text of `targets;base64`, or undefined for a question and for anything else. */
export function writtenText(data: string): string | undefined {
  const [, encoded = ''] = data.split(';')
  if (!BASE64.test(encoded)) return undefined
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    if (bytes.length > MAX_BYTES) return undefined
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Not base64 after all, or not text: nothing a person could want to paste.
    return undefined
  }
}

async function write(text: string): Promise<void> {
  if (await copyText(text)) showNotice(strings.clipboard.programCopied([...text].length))
}
