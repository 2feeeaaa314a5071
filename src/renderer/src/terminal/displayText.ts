const MAX_CHARACTERS = 256
// Control characters, and those that reorder or hide text: none of them belongs in a label.
const UNSEEN = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** A name or title from outside as harmless one-line text. */
export function displayText(text: string): string {
  return text.replace(UNSEEN, '').slice(0, MAX_CHARACTERS)
}
