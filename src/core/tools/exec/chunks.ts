export interface Chunk {
  /** Byte offset since the terminal began. */
  index: number
  data: string
  encoding: 'utf8' | 'base64'
}

const FIRST_OF_TWO = 0xc2
const FIRST_OF_THREE = 0xe0
const FIRST_OF_FOUR = 0xf0
const AFTER_LAST_FIRST = 0xf5
/** Text that a NUL is in is no text that JSON and models take well. */
const NUL = 0

/** Output as maximal runs of text and of other bytes, each with its offset; no character is cut in two. */
export function chunksOf(bytes: Buffer, from: number): Chunk[] {
  const chunks: Chunk[] = []
  for (let position = 0; position < bytes.length; ) {
    const textEnd = endOfText(bytes, position)
    const end = textEnd > position ? textEnd : endOfBinary(bytes, position)
    const encoding = textEnd > position ? 'utf8' : 'base64'
    chunks.push({ index: from + position, data: bytes.toString(encoding, position, end), encoding })
    position = end
  }
  return chunks
}

/** How many bytes at the end are the beginning of a character whose rest has not come yet. */
export function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    return lengthOf(byte) > back ? back : 0
  }
  return 0
}

function endOfText(bytes: Buffer, from: number): number {
  let position = from
  while (position < bytes.length) {
    const length = characterLength(bytes, position)
    if (length === 0) break
    position += length
  }
  return position
}

function endOfBinary(bytes: Buffer, from: number): number {
  let position = from + 1
  while (position < bytes.length && characterLength(bytes, position) === 0) position++
  return position
}

/** Of the whole, valid character that begins here; 0 when none does. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return first === NUL ? 0 : 1
  const length = lengthOf(first)
  if (length === 0 || at + length > bytes.length) return 0
  for (let index = 1; index < length; index++) if (!isContinuation(bytes[at + index] ?? 0)) return 0
  const second = bytes[at + 1] ?? 0
  // Written longer than needed, half of a surrogate pair, or beyond the last character.
  const isWrong =
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f)
  return isWrong ? 0 : length
}

function lengthOf(first: number): number {
  if (first < FIRST_OF_TWO || first >= AFTER_LAST_FIRST) return 0
  if (first < FIRST_OF_THREE) return 2
  return first < FIRST_OF_FOUR ? 3 : 4
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}
