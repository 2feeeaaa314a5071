import type { Terminal } from '@xterm/xterm'

// Everything below space but tab, newline and return: pasted text is text, never keys or escape sequences.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is removed here
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

export function cleanPaste(text: string): string {
  return text.replace(CONTROLS, '')
}

/** Copy with Ctrl+Shift+C (plain Ctrl+C stays the interrupt key); pasted text is cleaned before it is typed. */
export function installClipboard(xterm: Terminal, element: HTMLElement): () => void {
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const text = cleanPaste(event.clipboardData?.getData('text/plain') ?? '')
    if (text !== '') xterm.paste(text)
  }
  const copy = (event: KeyboardEvent) => {
    if (!event.ctrlKey || !event.shiftKey || event.code !== 'KeyC') return
    event.preventDefault()
    event.stopPropagation()
    if (xterm.hasSelection()) void navigator.clipboard?.writeText(xterm.getSelection())
  }
  element.addEventListener('paste', paste, true)
  element.addEventListener('keydown', copy, true)
  return () => {
    element.removeEventListener('paste', paste, true)
    element.removeEventListener('keydown', copy, true)
  }
}
