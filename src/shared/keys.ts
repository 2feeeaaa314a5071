/** Which keys a window may take: the desktop app's on its system, or what a browser leaves to a page there. */
export interface KeyPlace {
  system: 'mac' | 'linux'
  shell: 'desktop' | 'browser'
}

/** What is pressed, as a browser reports it. */
export type PressedKeys = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>

type KeyboardEvent = { code: string; ctrlKey: boolean; shiftKey: boolean; altKey: boolean; metaKey: boolean }

const MODIFIERS = { Control: 'ctrlKey', Shift: 'shiftKey', Alt: 'altKey', Meta: 'metaKey' } as const
const MAC_SIGNS: Record<string, string> = { Control: '⌃', Alt: '⌥', Shift: '⇧', Meta: '⌘', Enter: '⏎' }
const NAMES: Record<string, string> = {
  Control: 'Ctrl',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  BracketLeft: '[',
  BracketRight: ']',
  Backquote: '`',
  Comma: ',',
  Equal: '+',
  Minus: '−',
  Period: '.',
  Slash: '/',
  Backslash: '\\',
  Semicolon: ';',
  Quote: "'"
}

/** Whether exactly these keys are pressed. A chord is written as modifiers and one key code: `Control+Shift+KeyT`. */
export function isPressed(chord: string, pressed: PressedKeys): boolean {
  const parts = chord.split('+')
  if (parts.at(-1) !== pressed.code) return false
  return Object.entries(MODIFIERS).every(([name, held]) => parts.includes(name) === pressed[held])
}

/** The modifiers of a chord that are held while it is repeated, without Shift, which only turns it round. */
export function holdingModifiers(chord: string): string[] {
  return chord.split('+').filter((part) => part in MODIFIERS && part !== 'Shift')
}

/** A chord as a person reads it: `Ctrl+Shift+T`, on macOS `⇧⌘T`. */
export function showChord(chord: string, system: KeyPlace['system']): string {
  const parts = chord.split('+')
  if (system === 'linux') return parts.map(keyName).join('+')
  const order = Object.keys(MAC_SIGNS)
  const modifiers = parts
    .filter((part) => part in MODIFIERS)
    .sort((one, other) => order.indexOf(one) - order.indexOf(other))
  return [...modifiers, parts.at(-1) ?? ''].map((part) => MAC_SIGNS[part] ?? keyName(part)).join('')
}

function keyName(part: string): string {
  return NAMES[part] ?? part.replace(/^(Key|Digit)/, '')
}
