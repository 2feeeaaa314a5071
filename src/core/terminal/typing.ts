const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a
/** Ctrl+C and Ctrl+\. */
const INTERRUPTS = [0x03, 0x1c]
const ESC = 0x1b

// What a window sends although nobody pressed anything: focus reports, and the pointer moving without a button.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
const NOT_TYPED = /\x1b\[(?:[IO]|<(?:35|39|43|47|51|55|59|63);\d+;\d+[Mm]|M[CGKOSW[_][\s\S]{2})/g

/** Whether somebody pressed a key or a button: a window that gets the focus sends bytes too. */
export function isTyping(bytes: Uint8Array): boolean {
  if (bytes[0] !== ESC) return bytes.length > 0
  // latin1 maps every byte to one character.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text.replace(NOT_TYPED, '') !== ''
}

/** Whether a shell may take this for the end of a line. */
export function hasEnter(bytes: Uint8Array): boolean {
  return bytes.includes(CARRIAGE_RETURN) || bytes.includes(LINE_FEED)
}

/** Whether a terminal may take this for an interrupt. */
export function hasInterrupt(bytes: Uint8Array): boolean {
  return INTERRUPTS.some((byte) => bytes.includes(byte))
}
