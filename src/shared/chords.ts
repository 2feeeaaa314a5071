const MODIFIERS: Readonly<Record<string, string>> = {
  ctrl: 'Control',
  control: 'Control',
  shift: 'Shift',
  alt: 'Alt',
  option: 'Alt',
  cmd: 'Meta',
  command: 'Meta',
  meta: 'Meta',
  super: 'Meta'
}
const ORDER = ['Control', 'Alt', 'Shift', 'Meta']
const KEYS: Readonly<Record<string, string>> = {
  ...codes('Enter Space Tab Escape Backspace Delete Insert Home End PageUp PageDown'),
  ...codes('ArrowLeft ArrowRight ArrowUp ArrowDown Backquote BracketLeft BracketRight Comma Equal Minus'),
  ...codes('Period Slash Backslash Semicolon Quote'),
  left: 'ArrowLeft',
  right: 'ArrowRight',
  up: 'ArrowUp',
  down: 'ArrowDown',
  esc: 'Escape',
  '`': 'Backquote',
  '[': 'BracketLeft',
  ']': 'BracketRight',
  ',': 'Comma',
  '=': 'Equal',
  '-': 'Minus',
  '.': 'Period',
  '/': 'Slash',
  '\\': 'Backslash',
  ';': 'Semicolon',
  "'": 'Quote'
}

/**
 * Keys as a person writes them (`Ctrl+Shift+T`, `Cmd+Page Up`, `F5`) as a chord, or undefined. A key that programs need to
 * be typed is no chord: it takes Ctrl, Alt, Cmd, or a function key.
 */
export function chordOf(text: string): string | undefined {
  const parts = text.split('+').map((part) => part.trim())
  const code = codeOf(parts.pop() ?? '')
  const held = parts.map((part) => MODIFIERS[part.toLowerCase()])
  if (code === undefined || held.includes(undefined) || new Set(held).size < held.length) return undefined
  const isOurs = held.some((modifier) => modifier !== 'Shift') || /^F\d/.test(code)
  return isOurs ? [...ORDER.filter((modifier) => held.includes(modifier)), code].join('+') : undefined
}

function codeOf(name: string): string | undefined {
  if (/^[a-z]$/i.test(name)) return `Key${name.toUpperCase()}`
  if (/^\d$/.test(name)) return `Digit${name}`
  if (/^f([1-9]|1\d|2[0-4])$/i.test(name)) return name.toUpperCase()
  if (/^(Key[A-Z]|Digit\d)$/.test(name)) return name
  return KEYS[name.toLowerCase().replace(' ', '')]
}

function codes(names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name.toLowerCase(), name]))
}
