const KEYS: Readonly<Record<string, string>> = {
  Control: 'Control',
  Meta: 'Command',
  Equal: '=',
  Minus: '-',
  Comma: ',',
  Backquote: '`',
  BracketLeft: '[',
  BracketRight: ']',
  Period: '.',
  Slash: '/',
  Backslash: '\\',
  Semicolon: ';',
  Quote: "'"
}

/** A chord of ours (`Control+Shift+KeyT`) as Electron's menus write it (`Control+Shift+T`). */
export function acceleratorOf(chord: string): string {
  return chord.split('+').map(keyOf).join('+')
}

function keyOf(part: string): string {
  return KEYS[part] ?? part.replace(/^(?:Key|Digit|Arrow)/, '')
}
