// What emulators send by themselves when a program asks them something. Each alternative is one whole reply.
const REPLY = new RegExp(
  [
    '\\[[?>=]?[\\d;]*c', // DA1, DA2, and DA3 in its CSI forms
    '\\[\\??\\d*n', // DSR: 0n "OK", ?…n printer, keyboard, locator
    '\\[\\?\\d+;\\d+(?:;\\d+)?R', // DECXCPR
    '\\[(?!1;[2-8]R)\\d+;\\d+R', // CPR; see below
    '\\[\\??\\d+;\\d+\\$y', // DECRPM
    '\\[[3-9](?:;\\d+){0,2}t', // window reports
    '\\[\\?\\d+u', // kitty keyboard flags
    '\\[\\?[\\d;]*S', // XTSMGRAPHICS
    'P[01]\\$r[^\\x1b\\x07]*(?:\\x1b\\\\|\\x07)', // DECRQSS
    'P>\\|[^\\x1b]*\\x1b\\\\', // XTVERSION
    'P!\\|[^\\x1b]*\\x1b\\\\', // DA3
    'P[01]\\+r[^\\x1b]*\\x1b\\\\', // XTGETTCAP
    '\\](?:4;\\d+|5;\\d+|1\\d);(?:rgba?:[\\da-fA-F/]+|#[\\da-fA-F]+)(?:\\x1b\\\\|\\x07)', // colours
    '\\]52;[^;\\x1b\\x07]*;[^\\x1b\\x07]*(?:\\x1b\\\\|\\x07)', // clipboard
    '\\][lL][^\\x1b\\x07]*\\x1b\\\\', // title and icon reports
    '_G[^\\x1b]*\\x1b\\\\' // kitty graphics
  ]
    .map((reply) => `\\x1b${reply}`)
    .join('|'),
  'g'
)

const ESC = 0x1b

/**
 * A viewer's input without its emulator's replies to queries: the program has one answerer, and it is not a viewer.
 * Keys pass, focus reports pass, and so does everything inside a bracketed paste. `CSI 1;2R` to `CSI 1;8R` is both F3
 * with a modifier and a cursor report from row 1, columns 2 to 8; it passes as the key, because a lost key is noticed
 * and a viewer is never asked where its cursor is.
 */
export function withoutReplies(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(ESC)) return bytes
  // latin1 maps every byte to one character and back.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (text.includes('\x1b[200~')) return bytes
  const kept = text.replace(REPLY, '')
  return kept.length === text.length ? bytes : Buffer.from(kept, 'latin1')
}
