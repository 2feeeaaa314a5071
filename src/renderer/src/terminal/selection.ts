import type { Terminal } from '@xterm/xterm'
import { settingValues } from '../stores/settings'
import { copyText, selectedText } from './clipboard'
import { pasteText } from './paste'
import { primarySelection } from './primarySelection'

const MIDDLE = 1
// The browser's own middle-click paste comes with the click; after this it does not come any more.
const NATIVE_PASTE_MS = 80
const hasPrimary = !navigator.platform.startsWith('Mac') && !navigator.platform.startsWith('Win')

/** Keeps what is selected for middle click and Shift+Insert, copies it if wished, and types what is pasted. */
export function installSelection(xterm: Terminal, element: HTMLElement): () => void {
  let pastedAt = Number.NEGATIVE_INFINITY
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    pastedAt = performance.now()
    void pasteText(xterm, event.clipboardData?.getData('text/plain') ?? '')
  }
  const selected = () => {
    const text = selectedText(xterm)
    if (text === '') return
    primarySelection.text = text
    if (settingValues().copy_on_select) void copyText(text)
  }
  const clicked = (event: MouseEvent) => {
    if (event.button !== MIDDLE || !hasPrimary || belongsToProgram(xterm, event)) return
    const clickedAt = performance.now()
    setTimeout(() => {
      if (pastedAt < clickedAt && primarySelection.text !== '') void pasteText(xterm, primarySelection.text)
    }, NATIVE_PASTE_MS)
  }
  element.addEventListener('paste', paste, true)
  element.addEventListener('mouseup', selected)
  element.addEventListener('auxclick', clicked)
  return () => {
    element.removeEventListener('paste', paste, true)
    element.removeEventListener('mouseup', selected)
    element.removeEventListener('auxclick', clicked)
  }
}

/** A program that follows the mouse gets the click, unless Shift says that it is for the terminal. */
export function belongsToProgram(xterm: Terminal, { shiftKey }: MouseEvent): boolean {
  return xterm.modes.mouseTrackingMode !== 'none' && !shiftKey
}
