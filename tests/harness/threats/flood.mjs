// Prints one kind of hostile output, then flood-over.   flood.mjs <kind> <scale> <seed>

const [, , kind, scaleText, seedText] = process.argv
const scale = Number(scaleText)
const MEGABYTE = 1024 * 1024
let state = Number(seedText)

const KINDS = {
  title: () => `\x1b]0;${'t'.repeat(10 * MEGABYTE)}\x07`,
  endlessTitle: () => `\x1b]2;${'t'.repeat(10 * MEGABYTE)}`,
  link: () => `\x1b]8;;https://${'l'.repeat(10 * MEGABYTE)}\x1b\\x\x1b]8;;\x1b\\`,
  clipboard: () => `\x1b]52;c;${'QUJD'.repeat(2.5 * MEGABYTE)}\x07`,
  image: () => `\x1b]1337;File=inline=1:${'QUJD'.repeat(2.5 * MEGABYTE)}\x07`,
  sixel: () => `\x1bPq#0;2;0;0;0${'#0!999999999~-'.repeat(700_000)}\x1b\\`,
  deviceControl: () => `\x1bP${'x'.repeat(10 * MEGABYTE)}\x1b\\`,
  statusRequest: () => `\x1bP$q${'m'.repeat(10 * MEGABYTE)}\x1b\\`,
  application: () => `\x1b_G${'x'.repeat(10 * MEGABYTE)}\x1b\\`,
  combining: () => `a${'\u0301'.repeat(1_000_000)}`,
  joined: () => '👩\u200d'.repeat(300_000),
  marksEverywhere: () => `a${'\u0300\u0301\u0302\u0303'.repeat(30)}`.repeat(30_000),
  parameters: () => `\x1b[${'9;'.repeat(1_000_000)}m`,
  digits: () => `\x1b[${'9'.repeat(2_000_000)}m`,
  scroll: () => '\x1b[2147483647S\x1b[2147483647T\x1b[2147483647L\x1b[2147483647M'.repeat(2000),
  repeat: () => 'x\x1b[2147483647b'.repeat(5000),
  tabs: () => '\x1b[2147483647I\x1b[2147483647Z'.repeat(5000),
  erase: () => '\x1b[2147483647X\x1b[2147483647@\x1b[2147483647P\x1b[3J'.repeat(5000),
  colours: () => Array.from({ length: 60_000 }, (_, n) => `\x1b[38;2;${n % 256};${(n >> 8) % 256};7mx`).join(''),
  manyLinks: () => Array.from({ length: 20_000 }, (_, n) => `\x1b]8;id=${n};https://x/${n}\x07x\x1b]8;;\x07`).join(''),
  screens: () => '\x1b[?1049hx\x1b[?1049l\x1bc'.repeat(4000),
  random: () => Buffer.from(Array.from({ length: 3 * MEGABYTE }, nextByte))
}

for (let round = 0; round < scale; round++) await print(Buffer.from(KINDS[kind]()))
await print(Buffer.from('\x18\x1b\\\x1b[?1049l\x1bc\r\nflood-'))
await print(Buffer.from('over\r\n'))

// A linear congruence: the same noise comes again with the same seed; its upper bits are the random ones.
function nextByte() {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state >>> 24
}

function print(bytes) {
  return new Promise((resolve) => process.stdout.write(bytes, resolve))
}
