import type { Terminal } from '@xterm/xterm'
import { showError } from '../stores/toasts'
import { strings } from '../strings'

// Everything below space but tab, newline and return: pasted text is text, never keys or escape sequences.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is removed here
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

export function cleanPaste(text: string): string {
  return text.replace(CONTROLS, '')
}

/** What is selected, as text to keep: lines that the screen broke are whole, spaces at their ends are gone. */
export function selectedText(xterm: Terminal): string {
  return xterm.getSelection().replaceAll(/[ \u00a0]+$/gm, '')
}

/** Puts text into the clipboard. A page from a plain http address has no clipboard of its own and asks the browser. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(text)
    else copyThroughPage(text)
    return true
  } catch {
    showError({ code: 'IO_ERROR', message: strings.clipboard.notCopied, hint: strings.clipboard.notCopiedHint })
    return false
  }
}

/** The clipboard's text, or undefined where a page may not ask for it. */
export async function readClipboard(): Promise<string | undefined> {
  try {
    return await navigator.clipboard?.readText()
  } catch {
    return undefined
  }
}

function copyThroughPage(text: string): void {
  const put = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    event.clipboardData?.setData('text/plain', text)
  }
  document.addEventListener('copy', put, { capture: true, once: true })
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', put, { capture: true })
  if (!isCopied) throw new Error('the browser does not copy')
}
