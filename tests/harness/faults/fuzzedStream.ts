import type { Random } from './random'

const PIECES = [
  'plain text ',
  'ünïcødé ',
  '日本語テキスト',
  '\r\n',
  '\n',
  '\t',
  '\b',
  '\x1b[1m',
  '\x1b[31m',
  '\x1b[38;5;123m',
  '\x1b[38;2;10;200;30m',
  '\x1b[0m',
  '\x1b[2J',
  '\x1b[K',
  '\x1b[5;10H',
  '\x1b[A',
  '\x1b[10C',
  '\x1b[3L',
  '\x1b[2M',
  '\x1b[4P',
  '\x1b[3@',
  '\x1b7',
  '\x1b8',
  '\x1b[5;15r',
  '\x1b[r',
  '\x1bM',
  '\x1b[?7l',
  '\x1b[?7h',
  '\x1b[4h',
  '\x1b[4l',
  '\x1b(0lqqk\x1b(B',
  '\x1b]0;a title with ü\x07',
  '\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\',
  '\x1b[?25l',
  '\x1b[?25h',
  '\x1b[3g',
  '\x1bH',
  '\x1b[?1049h inside \x1b[?1049l',
  '\xff',
  '\x1b[999;999H',
  '\x1b[;H'
] // prettier-ignore

/** Text, sequences and broken bytes in any order; no clusters, which the comparing emulator measures otherwise; no questions, whose answers would be typed into the shell. */
export function fuzzedStream(random: Random, pieces = 150): Buffer {
  const chosen = Array.from({ length: pieces }, () => random.pick(PIECES))
  return Buffer.concat(chosen.map((piece) => (piece === '\xff' ? Buffer.of(0xff, 0xc3) : Buffer.from(piece))))
}
