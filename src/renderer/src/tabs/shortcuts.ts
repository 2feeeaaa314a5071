/** What the keyboard can ask of the tabs, wherever the focus is. */
export type TabCommand =
  | { do: 'new' }
  | { do: 'close' }
  | { do: 'go'; by: 1 | -1 }
  | { do: 'goTo'; index: number }
  | { do: 'move'; by: 1 | -1 }
  | { do: 'nextRegion' }

type Keys = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>

const LAST = -1

/**
 * The command behind a key, or undefined: then the key belongs to the program. Ctrl alone is never taken except with
 * Page keys; in a browser tab, where Ctrl+Shift+T and W are the browser's own, Alt+Shift does the same.
 */
export function tabCommand({ code, ctrlKey, shiftKey, altKey, metaKey }: Keys): TabCommand | undefined {
  if (metaKey) return undefined
  const page = { PageUp: -1, PageDown: 1 }[code] as 1 | -1 | undefined
  if (page && ctrlKey && shiftKey && !altKey) return { do: 'move', by: page }
  if (page && !shiftKey && ctrlKey !== altKey) return { do: 'go', by: page }
  if (code === 'F6' && !ctrlKey && !altKey && !shiftKey) return { do: 'nextRegion' }
  const chord = shiftKey && ctrlKey !== altKey
  if (chord && code === 'KeyT') return { do: 'new' }
  if (chord && code === 'KeyW') return { do: 'close' }
  const digit = /^Digit([1-9])$/.exec(code)?.[1]
  if (digit && altKey && !ctrlKey && !shiftKey) return { do: 'goTo', index: digit === '9' ? LAST : Number(digit) - 1 }
  return undefined
}
