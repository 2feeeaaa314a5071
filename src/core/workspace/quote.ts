// Long enough to recognise a value, short enough that a message stays a message.
const MAX_QUOTED_CHARACTERS = 120

/** A caller's value as it may stand in a message: quoted, one line, control characters escaped, cut with its length. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  if (text.length <= MAX_QUOTED_CHARACTERS) return JSON.stringify(text)
  return `${JSON.stringify(text.slice(0, MAX_QUOTED_CHARACTERS))}… (${text.length} characters)`
}
