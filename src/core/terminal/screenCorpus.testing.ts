import type { Size } from '../../shared/terminal'

export interface Stream {
  name: string
  output: string
  resizedTo?: Size
}

const E = '\x1b'
const ROWS = 'one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix'

/** What programs print, a few bytes for each thing that a terminal has to do right. */
const OUTPUTS: Record<string, string> = {
  'cursor up': `${ROWS}${E}[2AX`,
  'cursor down': `${E}[3BX`,
  'cursor forward': `a${E}[5CX`,
  'cursor back': `abcdef${E}[3DX`,
  'cursor next line': `ab${E}[2EX`,
  'cursor previous line': `${ROWS}${E}[2FX`,
  'cursor column': `abcdef${E}[3GX`,
  'cursor row': `ab${E}[4dX`,
  'cursor position': `${E}[3;5HX${E}[99;99HY${E}[HZ`,
  'cursor beyond the edges': `${E}[99A${E}[99DX${E}[99B${E}[99CY`,
  'cursor saved and restored': `ab${E}7${E}[5;5HX${E}8Y`,
  'cursor saved by CSI': `ab${E}[s${E}[5;5HX${E}[uY`,
  'cursor hidden': `a${E}[?25lb`,
  'index and reverse index': `${ROWS}${E}D${E}MX${E}EY`,
  'reverse index at the top': `${ROWS}${E}[H${E}MX`,
  'erase to the end of the line': `abcdef${E}[3D${E}[K`,
  'erase to the start of the line': `abcdef${E}[3D${E}[1K`,
  'erase the line': `abcdef${E}[2KX`,
  'erase below': `${ROWS}${E}[3;2H${E}[J`,
  'erase above': `${ROWS}${E}[3;2H${E}[1J`,
  'erase all': `${ROWS}${E}[2JX`,
  'erase history': `${ROWS}\r\n${ROWS}${E}[3JX`,
  'erase characters': `abcdef${E}[4G${E}[2XY`,
  'insert characters': `abcdef${E}[3G${E}[2@X`,
  'delete characters': `abcdef${E}[3G${E}[2P`,
  'insert mode': `abcdef${E}[3G${E}[4hXY${E}[4l`,
  'insert lines': `${ROWS}${E}[2;1H${E}[2LX`,
  'delete lines': `${ROWS}${E}[2;1H${E}[2MX`,
  'scroll up': `${ROWS}${E}[2SX`,
  'scroll down': `${ROWS}${E}[2TX`,
  'scroll region': `${E}[2;4r${E}[4;1Ha\r\nb\r\nc\r\nd`,
  'scroll region and reverse index': `${ROWS}${E}[2;4r${E}[2;1H${E}MX`,
  'scroll region taken away': `${E}[2;4r${E}[r${ROWS}\r\nlast\r\nend\r\nmore`,
  'lines inserted in a region': `${ROWS}${E}[2;5r${E}[3;1H${E}[LX`,
  'origin mode': `${E}[3;6r${E}[?6h${E}[1;1HX${E}[9;1HY${E}[?6l${E}[1;1HZ`,
  'tab stops': 'a\tb\tc',
  'tab stops set and cleared': `${E}[3g${E}[5G${E}H${E}[1Ga\tb\tc`,
  'tabs backwards': `\t\tX${E}[ZY`,
  'wrap at the edge': 'abcdefghijklmnopqrstuvwxyz0123',
  'wrap that waits': `${'x'.repeat(24)}\rY`,
  'wrap switched off': `${E}[?7l${'x'.repeat(30)}Y${E}[?7h`,
  'wide character at the edge': `${'x'.repeat(23)}日本`,
  'wide characters overwritten': `日本語${E}[2GX`,
  'wide characters erased by half': `日本語${E}[3G${E}[X`,
  'wide characters deleted': `日本語${E}[1G${E}[P`,
  'combining marks': 'e\u0301a\u0308o\u0302',
  'combining mark at the edge': `${'x'.repeat(23)}e\u0301y`,
  emoji: '🎉🚀 done',
  'emoji that are joined': '👩‍👩‍👧 family',
  'emoji with a tone': '👍🏽 ok',
  flags: '🇩🇪🇯🇵 flags',
  'emoji at the edge': `${'x'.repeat(23)}🎉y`,
  'line drawing': `${E}(0lqqk\r\nx  x\r\nmqqj${E}(B`,
  'shift out and in': `${E})0a\x0eqqq\x0fb`,
  'alternate screen': `main${E}[?1049h${E}[Hother${E}[?1049lback`,
  'alternate screen that stays': `main${E}[?1049h${E}[2;2Hother`,
  'old alternate screen': `main${E}[?47hother${E}[?47lback`,
  'alternate screen keeps no history': `${E}[?1049h${ROWS}\r\n${ROWS}\r\nend`,
  colours: `${E}[31mred${E}[42mon green${E}[0mplain`,
  'many colours': `${E}[38;5;200mpink${E}[48;2;1;2;3mdark${E}[m`,
  'colours with colons': `${E}[38:2::200:120:90mtext${E}[4:3mcurly${E}[0m`,
  styles: `${E}[1mb${E}[2md${E}[3mi${E}[4mu${E}[5mk${E}[7mr${E}[9ms${E}[0m`,
  'erased in a colour': `${E}[44mab${E}[K\r\n${E}[2Jc${E}[0m`,
  'repeat a character': `ab${E}[5bX`,
  links: `${E}]8;;https://example.org${E}\\link${E}]8;;${E}\\ text`,
  titles: `${E}]0;a title\x07text${E}]2;another${E}\\more`,
  'unknown sequences': `a${E}[?9999hb${E}[>5;1mc${E}Pxyz${E}\\d${E}_app${E}\\e`,
  'a sequence broken off': `a${E}[31\x18b${E}]0;t\x1ac`,
  'controls inside a sequence': `ab${E}[\r3CX`,
  'full reset': `${E}[31m${ROWS}${E}cX`,
  'soft reset': `${E}[4h${E}[?6h${E}[!pabc`,
  'screen of Es': `${E}#8${E}[2;2HX`,
  'bracketed paste and mouse modes': `${E}[?2004h${E}[?1002;1006h${E}[?1hX`,
  'synchronized update': `${E}[?2026h${ROWS}${E}[?2026lX`,
  backspaces: 'abc\b\bX',
  'line feeds alone': 'a\nb\nc',
  'text that is no UTF-8 in Latin': 'caf\u00e9 na\u00efve'
}

const LONG =
  'a long line of words that wraps more than once on a narrow screen\r\n日本語テキストも折り返す行です\r\nend'

/** Streams after which the screen gets another size. */
const REFLOWS: Stream[] = [
  { name: 'narrower', output: LONG, resizedTo: { rows: 8, cols: 11 } },
  { name: 'wider', output: LONG, resizedTo: { rows: 8, cols: 60 } },
  { name: 'lower', output: `${ROWS}\r\n${ROWS}`, resizedTo: { rows: 3, cols: 24 } },
  { name: 'higher', output: `${ROWS}\r\n${ROWS}`, resizedTo: { rows: 20, cols: 24 } },
  { name: 'narrower on the other screen', output: `${LONG}${E}[?1049h${LONG}`, resizedTo: { rows: 8, cols: 9 } }
]

export const corpus: Stream[] = [...Object.entries(OUTPUTS).map(([name, output]) => ({ name, output })), ...REFLOWS]
