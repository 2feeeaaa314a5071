import type { Terminal } from '@xterm/xterm'
import { isFirstHint } from '../stores/remembered'
import { showNotice } from '../stores/toasts'
import { strings } from '../strings'
import { copyText, selectedText } from './clipboard'
import type { KeyboardModes } from './keyboardModes'
import { pasteText } from './paste'
import { primarySelection } from './primarySelection'

// Long enough for two deliberate key strokes, short enough not to be remembered.
const LEAVE_WITHIN_MS = 1000
const isMac = navigator.platform.startsWith('Mac')

/** The keys that are the window's inside a terminal. Plain Ctrl+C is never one of them: it interrupts. */
export function installTerminalKeys(xterm: Terminal, modes: KeyboardModes): void {
  let escapedAt = Number.NEGATIVE_INFINITY
  xterm.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown' || event.isComposing) return true
    const leaves = event.key === 'Tab' && event.timeStamp - escapedAt < LEAVE_WITHIN_MS
    escapedAt = event.key === 'Escape' ? event.timeStamp : Number.NEGATIVE_INFINITY
    // Not taken by the terminal, so the browser moves the focus, as Tab does everywhere else.
    if (leaves) return false
    return !isTaken(event, xterm, modes)
  })
}

function isTaken(event: KeyboardEvent, xterm: Terminal, modes: KeyboardModes): boolean {
  const { ctrlKey, shiftKey, altKey, metaKey, code } = event
  const held = [ctrlKey && 'Control', shiftKey && 'Shift', altKey && 'Alt', metaKey && 'Meta'].filter(Boolean)
  const take = (act: () => void): true => {
    event.preventDefault()
    act()
    return true
  }
  switch ([...held, code].join('+')) {
    case 'Control+Shift+KeyC':
    case 'Control+Insert':
      return take(() => void copySelection(xterm))
    case 'Meta+KeyC':
      return isMac && xterm.hasSelection() ? take(() => void copySelection(xterm)) : false
    // The browser pastes by itself, through the paste event.
    case 'Control+Shift+KeyV':
      return true
    case 'Shift+Insert':
      return primarySelection.text === '' ? true : take(() => void pasteText(xterm, primarySelection.text))
    case 'Control+KeyC':
      hintAtCopy(xterm)
      return false
    case 'Shift+Enter':
      return shiftEnter(xterm, modes, take)
    default:
      return false
  }
}

export async function copySelection(xterm: Terminal): Promise<void> {
  const text = selectedText(xterm)
  if (text !== '') await copyText(text)
}

function shiftEnter(xterm: Terminal, modes: KeyboardModes, take: (act: () => void) => true): boolean {
  const bytes = modes.shiftEnter(xterm.modes, xterm.buffer.active.type === 'alternate')
  return bytes === undefined ? false : take(() => xterm.input(bytes))
}

function hintAtCopy(xterm: Terminal): void {
  if (!isMac && xterm.hasSelection() && isFirstHint('copy')) showNotice(strings.clipboard.copyHint)
}
