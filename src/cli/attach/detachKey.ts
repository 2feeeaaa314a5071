const NAME = /^(?:ctrl[-+]|c-|\^)([a-z@\\\]^_])$/i

const CONTROL_BITS = 0x1f
/** Modifiers as terminals count them, from 1; locks are not pressed, they are on. */
const SHIFT = 1
const CONTROL = 4
const LOCKS = 64 | 128

/** Terminals send these for the same control byte, where they send the byte: a keyboard may have no other way. */
const SAME_BYTE: Readonly<Record<string, string>> = { '@': '2 ', '\\': '4', ']': '5', '^': '6', _: '7/' }

/** The key that leaves an attached terminal, in every form in which a terminal may send it. */
export interface DetachKey {
  /** As a person reads it. */
  name: string
  byte: number
  /** What the key is in encodings that name keys; the first is the one of its own name. */
  codes: readonly number[]
}

/** `ctrl-]`, `Ctrl+]`, `C-]` or `^]`; undefined where that is no key with Control that can be told from others. */
export function readDetachKey(text: string): DetachKey | undefined {
  const letter = NAME.exec(text)?.[1]
  if (letter === undefined) return undefined
  const upper = letter.toUpperCase()
  const forms = [...new Set([letter.toLowerCase(), upper, ...(SAME_BYTE[letter] ?? '')])]
  const codes = forms.map((form) => form.charCodeAt(0))
  return { name: `Ctrl+${upper}`, byte: upper.charCodeAt(0) & CONTROL_BITS, codes }
}

/** xterm's modifyOtherKeys; then `CSI … u`, with what the kitty protocol may add. */
const OTHER_KEY = /^\[27;(\d+);(\d+)~$/
const KITTY_KEY = /^\[(\d+)(?::(\d*))?(?::(\d*))?;(\d+)(?::([123]))?(?:;[\d:]*)?u$/

/** Whether a whole sequence is this key, pressed or, where terminals tell, held and let go. */
export function sequenceOf(key: DetachKey, sequence: string): 'pressed' | 'held' | undefined {
  const afterEscape = sequence.slice(1)
  const [, otherModifiers, otherCode] = OTHER_KEY.exec(afterEscape) ?? []
  if (otherCode !== undefined) return isKey(key, Number(otherModifiers), [otherCode]) ? 'pressed' : undefined
  const [, code, shifted, base, modifiers, event] = KITTY_KEY.exec(afterEscape) ?? []
  if (code === undefined || !isKey(key, Number(modifiers), [code, base, shifted])) return undefined
  return event === undefined || event === '1' ? 'pressed' : 'held'
}

function isKey({ codes }: DetachKey, modifiers: number, sent: readonly (string | undefined)[]): boolean {
  const pressed = (modifiers - 1) & ~LOCKS
  const numbers = sent.filter(Boolean).map(Number)
  if (pressed === CONTROL) return numbers.some((number) => codes.includes(number))
  // Some keyboards have it on the upper half of a key. Of letters that would be another shortcut.
  const [own = 0, upper] = codes
  const isLetter = upper === own - 32
  return pressed === (CONTROL | SHIFT) && !isLetter && numbers.includes(own)
}
