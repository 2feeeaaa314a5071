import type { Terminal } from '@xterm/xterm'

interface UsedTerminal {
  xterm: Terminal
  tmuxSession: string
}

const used: { current: UsedTerminal | undefined } = { current: undefined }

/** The terminal that has the keyboard, or had it before something lay over the page. */
export function lastUsedTerminal(): UsedTerminal | undefined {
  return used.current?.xterm.element?.isConnected ? used.current : undefined
}

/** Notes when the person goes into the terminal. */
export function noteUse(terminal: UsedTerminal, element: HTMLElement): () => void {
  const note = () => {
    used.current = terminal
  }
  element.addEventListener('focusin', note)
  return () => {
    element.removeEventListener('focusin', note)
    if (used.current === terminal) used.current = undefined
  }
}
