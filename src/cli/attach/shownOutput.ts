import { WholeSequences } from '../../core/terminal/wholeSequences'
import { GENTLE_RESET } from './ownTerminal'

const ESC = 0x1b
const ENQ = 0x05
/** Lead byte of C1 controls in UTF-8, which some terminals obey. */
const C1_LEAD = 0xc2

// Controls are executed in the middle of a sequence and do not end it.
const escaped = (introducer: string) => `\\x1b[\\x00-\\x17\\x19\\x1c-\\x1f\\x7f]*${introducer}`
const body = (ends: string) =>
  `([^${ends}\\x18\\x1a\\x1b\\xc2]*(?:\\xc2(?![\\x80-\\x9f])[^${ends}\\x18\\x1a\\x1b\\xc2]*)*)`
// Anything that begins a sequence ends the one before.
const end = (more: string) => `(?:\\x1b\\\\|\\xc2\\x9c|[\\x18\\x1a${more}]|(?=[\\x1b\\xc2])|$)`

const SEQUENCE = new RegExp(
  [
    `(?:${escaped('\\[')}|\\xc2\\x9b)(?<csi>[\\x00-\\x17\\x19\\x1c-?\\x7f]*[@-~])`,
    `(?:${escaped('\\]')}|\\xc2\\x9d)(?<osc>${body('\\x07')})${end('\\x07')}`,
    `(?:${escaped('P')}|\\xc2\\x90)(?<dcs>${body('')})${end('')}`,
    `(?:${escaped('[X^_]')}|\\xc2[\\x98\\x9e\\x9f])${body('')}${end('')}`,
    `(?:${escaped('Z')}|\\xc2\\x9a)`,
    `(?<reset>${escaped('c')})`
  ].join('|'),
  'g'
)

/** Prefix, intermediates and final byte of what a terminal answers, whatever the numbers. */
const ASKING = new Set(`c >c =c n ?n $p ?$p +p >q ?u ?m ?S x *y $w $u &u #R #| "v '|`.split(' '))
const WINDOW_REPORTS = [11, 13, 14, 15, 16, 18, 19, 20, 21]
/** Modes in which a terminal reports by itself, in ways that no program here counts on. */
const REPORTING_MODE = /^(?:2031|2048|5522|9001)$/

/** Text may contain anything, and asks nothing. */
const OSC_OF_TEXT = /^(?:[0127lLI]|8|9|133|633|777)(?:;|$)/
const OSC_ASKS = /^(?:60|61|99|5522)(?:;|$)|^1337;.*(?:Report|Request|Capabilities)|[;=]\?/s
/** Requests for settings and capabilities; what other multiplexers and their clients make of such strings. */
const DCS_ASKS = /^(?:[\d;]*[$+]q|tmux;|@|\d{4}p)/

/**
 * A program's output as our own terminal may show it: whole sequences, a reset that spares the person's scrollback, and
 * nothing that asks. The program has its answerer in the host; what our terminal answered would be typed.
 */
export class ShownOutput {
  readonly #sequences = new WholeSequences()

  push(bytes: Buffer): Buffer {
    const whole = this.#sequences.push(bytes)
    if (!whole.includes(ESC) && !whole.includes(C1_LEAD) && !whole.includes(ENQ)) return whole
    // latin1 maps every byte to one character and back.
    const text = whole.toString('latin1').replaceAll('\x05', '')
    return Buffer.from(text.replace(SEQUENCE, shown), 'latin1')
  }
}

/** Stands where something was taken out, and ends what it ended: what is around it never becomes one. */
const NOTHING = '\x1b\\'

function shown(sequence: string, ...captured: unknown[]): string {
  // The last argument of a replacer is the named groups, where there are any.
  const { csi, osc, dcs, reset } = captured.at(-1) as Record<string, string | undefined>
  if (reset !== undefined) return controlsOf(sequence) + GENTLE_RESET
  if (csi !== undefined) return csiAsks(withoutControls(csi)) ? NOTHING + controlsOf(sequence) : sequence
  if (osc !== undefined) return oscAsks(withoutControls(osc)) ? NOTHING : sequence
  return dcs === undefined || DCS_ASKS.test(withoutControls(dcs)) ? NOTHING : sequence
}

function csiAsks(csi: string): boolean {
  const [, prefix = '', numbers = '', rest = ''] = /^([<=>?]?)([\d:;]*)([ -/]*[@-~])$/.exec(csi) ?? []
  const kind = prefix + rest
  if (kind === 't') return WINDOW_REPORTS.includes(Number.parseInt(numbers, 10))
  return kind === '?h' ? REPORTING_MODE.test(numbers) : ASKING.has(kind)
}

function oscAsks(osc: string): boolean {
  return !OSC_OF_TEXT.test(osc) && OSC_ASKS.test(osc)
}

function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '')
}

/** They count although the sequence around them does not. */
function controlsOf(sequence: string): string {
  return [...sequence].filter((character) => character < ' ' && character !== '\x1b').join('')
}
