import { AppError } from '../../shared/errors'

export interface Modifiers {
  ctrl?: boolean | undefined
  alt?: boolean | undefined
  shift?: boolean | undefined
}

const ESC = '\x1b'
const CSI = '\x1b['
const SS3 = '\x1bO'

/** Keys whose sequence ends in a letter; the first ones follow application-cursor mode. */
const CURSOR_KEYS: Readonly<Record<string, string>> = { up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' }
const FUNCTION_LETTERS: Readonly<Record<string, string>> = { f1: 'P', f2: 'Q', f3: 'R', f4: 'S' }
/** Keys whose sequence is a number and a tilde. */
const NUMBERED_KEYS: Readonly<Record<string, number>> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24
}
const PLAIN_KEYS: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  backspace: '\x7f',
  escape: ESC,
  space: ' '
}
const OTHER_NAMES: Readonly<Record<string, string>> = {
  return: 'enter',
  esc: 'escape',
  del: 'delete',
  ins: 'insert',
  page_up: 'pageup',
  page_down: 'pagedown',
  pgup: 'pageup',
  pgdn: 'pagedown'
}
const MODIFIER_PREFIX = /^(ctrl|control|alt|meta|option|shift)[+-](?=.)/i
/** What Ctrl makes of characters that are not letters, as terminals have always done it. */
const CONTROL_CODES: Readonly<Record<string, number>> = {
  ' ': 0,
  '@': 0,
  '2': 0,
  '[': 27,
  '3': 27,
  '\\': 28,
  '4': 28,
  ']': 29,
  '5': 29,
  '^': 30,
  '6': 30,
  _: 31,
  '/': 31,
  '7': 31,
  '?': 127,
  '8': 127
}

/** The bytes a key sends, as xterm does it. `ctrl+x` spellings are taken apart. INVALID_KEY when there is no such key. */
export function keyBytes(
  key: string,
  modifiers: Modifiers,
  { applicationCursor }: { applicationCursor: boolean }
): Buffer {
  const { name, held } = parse(key, modifiers)
  const number = 1 + (held.shift ? 1 : 0) + (held.alt ? 2 : 0) + (held.ctrl ? 4 : 0)
  const sequence =
    letterSequence(name, number, applicationCursor) ??
    numberSequence(name, number) ??
    plainSequence(name, held) ??
    characterSequence(name, held)
  if (sequence === undefined) throw invalidKey(key, held)
  return Buffer.from(sequence)
}

function parse(key: string, modifiers: Modifiers): { name: string; held: Modifiers } {
  let name = key
  const held = { ...modifiers }
  for (let prefix = MODIFIER_PREFIX.exec(name); prefix; prefix = MODIFIER_PREFIX.exec(name)) {
    const word = prefix[1]?.toLowerCase()
    if (word === 'shift') held.shift = true
    else if (word === 'ctrl' || word === 'control') held.ctrl = true
    else held.alt = true
    name = name.slice(prefix[0].length)
  }
  if (isOneCharacter(name)) return { name, held }
  const lower = name.toLowerCase()
  return { name: own(OTHER_NAMES, lower) ?? lower, held }
}

function letterSequence(name: string, number: number, applicationCursor: boolean): string | undefined {
  const cursor = own(CURSOR_KEYS, name)
  const letter = cursor ?? own(FUNCTION_LETTERS, name)
  if (letter === undefined) return undefined
  if (number > 1) return `${CSI}1;${number}${letter}`
  return `${cursor === undefined || applicationCursor ? SS3 : CSI}${letter}`
}

function numberSequence(name: string, number: number): string | undefined {
  const code = own(NUMBERED_KEYS, name)
  if (code === undefined) return undefined
  return number > 1 ? `${CSI}${code};${number}~` : `${CSI}${code}~`
}

function plainSequence(name: string, { ctrl, alt, shift }: Modifiers): string | undefined {
  const plain = own(PLAIN_KEYS, name)
  if (plain === undefined) return undefined
  const prefix = alt ? ESC : ''
  if (name === 'tab' && shift) return `${prefix}${CSI}Z`
  if (name === 'backspace' && ctrl) return `${prefix}\b`
  if (name === 'space' && ctrl) return `${prefix}\0`
  return prefix + plain
}

function characterSequence(name: string, { ctrl, alt, shift }: Modifiers): string | undefined {
  if (!isOneCharacter(name)) return undefined
  const prefix = alt ? ESC : ''
  if (!ctrl) return prefix + (shift ? name.toUpperCase() : name)
  const code = /^[a-z]$/i.test(name) ? name.toUpperCase().charCodeAt(0) - 64 : own(CONTROL_CODES, name)
  return code === undefined ? undefined : prefix + String.fromCharCode(code)
}

function isOneCharacter(name: string): boolean {
  return [...name].length === 1
}

/** A name from outside never reaches what every object inherits. */
function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function invalidKey(key: string, { ctrl }: Modifiers): AppError {
  const names = [...Object.keys(CURSOR_KEYS), ...Object.keys(PLAIN_KEYS), 'insert', 'delete', 'pageup', 'pagedown']
  const hint = `Use one of ${names.join(', ')}, f1 to f12, or a single character; several characters go in text.`
  const held = ctrl && isOneCharacter(key) ? 'ctrl+' : ''
  return new AppError('INVALID_KEY', `Invalid key: ${held}${JSON.stringify(key.slice(0, 100)).slice(1, -1)}`, hint)
}
