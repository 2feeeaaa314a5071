import symbolsAddress from '@azurity/pure-nerd-font/PureNerdFont.woff2?url'

// The private ranges that prompts and file lists draw their icons from; a page that shows none loads nothing.
const PRIVATE_USE = 'U+E000-F8FF, U+F0000-FFFFD'

/** Makes the icons of prompts available to terminals, for those who have no such font installed. */
export function addSymbols(): void {
  document.fonts.add(new FontFace('Tandem Symbols', `url("${symbolsAddress}")`, { unicodeRange: PRIVATE_USE }))
}
