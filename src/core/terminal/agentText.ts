/** What no person sees: controls, fillers, direction and join marks, selectors, tags, what Unicode never assigns. */
const UNSEEN =
  '\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u{fff9}-\\u{fffb}'
/** Scripts whose letters take another shape beside a joiner. */
const JOINING_SCRIPTS = [
  'Arabic',
  'Syriac',
  'Mongolian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
  'Myanmar'
]
const JOINING = `[${JOINING_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]'
const PICTURE = '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f\\p{Emoji_Modifier}]?'
/** Where such characters belong to what is seen: emoji, key caps, and letters that join or are kept apart. */
const SEEN = [
  `${PICTURE}(?:\\u200d${PICTURE})*`,
  '[0-9#*]\\ufe0f\\u20e3',
  `(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`,
  `(?<=${VIRAMA})[\\u200c\\u200d]`,
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02]'
].join('|')

const KEPT = `\\r\\n|[\\t\\n]|${SEEN}`
const PLAIN = /^[\t\n\x20-\x7e]*$/
const SUSPECT = new RegExp(`[${UNSEEN}]`, 'u')
const PARTS = new RegExp(`(?<kept>${KEPT})|(?:(?!${KEPT})[${UNSEEN}])+`, 'gu')
/** A long run is hostile or broken: its beginning and its length say enough. */
const MAX_MARKS = 16

/**
 * Text from a terminal as an agent may read it: what a person cannot see is written out (`⟨U+202E⟩`), so that nothing
 * can be said to an agent behind the person's back. Escape and control characters never pass.
 */
export function agentText(text: string): string {
  if (PLAIN.test(text) || !SUSPECT.test(text)) return text
  return text.replace(PARTS, (part, kept: string | undefined) => {
    if (part === '\r\n') return '\n'
    return kept ?? marks(part)
  })
}

/** A note in an agent's text about something that is not simply there to be read. */
export function note(words: string): string {
  return `⟨${words}⟩`
}

function marks(run: string): string {
  const grouped: { codePoint: number; count: number }[] = []
  for (const character of run) {
    const codePoint = character.codePointAt(0) ?? 0
    const last = grouped.at(-1)
    if (last?.codePoint === codePoint) last.count++
    else grouped.push({ codePoint, count: 1 })
  }
  const rest = grouped.slice(MAX_MARKS).reduce((sum, { count }) => sum + count, 0)
  const shown = grouped.slice(0, MAX_MARKS).map(({ codePoint, count }) => {
    const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
    return note(count === 1 ? name : `${name}×${count}`)
  })
  return shown.join('') + (rest > 0 ? note(`${rest} more unseen characters`) : '')
}
