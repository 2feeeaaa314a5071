const BEGIN = Buffer.from('\x1b[200~')
const END = Buffer.from('\x1b[201~')
const TILDE = 0x7e

export type PasteMode = boolean | 'auto'

/**
 * Text as it is typed: byte for byte, or wrapped as a paste. `auto` wraps only where the program asked for it and a line
 * ends inside the text. The newline at the end is pressed after the paste, so that it submits what was pasted.
 */
export function textBytes(text: string, mode: PasteMode, { isPasteAware }: { isPasteAware: boolean }): Buffer {
  const wraps = mode === 'auto' ? isPasteAware && text.slice(0, -1).includes('\n') : mode
  if (!wraps) return Buffer.from(text)
  const newline = /\r?\n$/.exec(text)?.[0] ?? ''
  const pasted = withoutEnds(Buffer.from(text.slice(0, text.length - newline.length)))
  return Buffer.concat([BEGIN, pasted, END, Buffer.from(newline)])
}

/** An end mark inside the text would end the paste early; taking one out may put another together. In one pass. */
function withoutEnds(text: Buffer): Buffer {
  if (!text.includes(END)) return text
  const kept = Buffer.allocUnsafe(text.length)
  let length = 0
  for (const byte of text) {
    kept[length++] = byte
    if (byte === TILDE && length >= END.length && kept.subarray(length - END.length, length).equals(END)) {
      length -= END.length
    }
  }
  return kept.subarray(0, length)
}
