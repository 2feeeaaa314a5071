import type { Size } from '../../shared/terminal'

const CSI = '\x1b['

/** Ends a sequence that was broken off, and VT52 mode, in which nothing below would be understood. */
const GROUND = '\x1b\\\x1b<'
/** Every level of the kitty protocol; each of the two screens has its own. Then xterm's modifyOtherKeys. */
const PLAIN_KEYBOARD = `${CSI}<99u${CSI}=0u${CSI}>4m`
const OFF = [
  ...[1, 5, 6, 45, 66, 69], // cursor keys, inverse, origin, reverse wrap, keypad, side margins
  ...[9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016], // mouse and focus
  ...[2004, 2026, 2031, 2048, 5522, 9001] // pastes, synchronized updates, reports of colours, size, clipboard and keys
]

/** Undoes whatever a program may have switched on, on either screen. Where the cursor is then, nobody knows. */
const MODES_OFF = [
  GROUND,
  PLAIN_KEYBOARD,
  `${CSI}?1049l`,
  PLAIN_KEYBOARD,
  `${CSI}!p`, // with it goes the saved cursor
  OFF.map((mode) => `${CSI}?${mode}l`).join(''),
  `${CSI}4l${CSI}20l${CSI}?7h${CSI}?25h${CSI}r${CSI}?5W`, // inserting, new lines, wrapping, cursor, region, tab stops
  `\x1b>\x1b(B\x1b)B\x1b*B\x1b+B\x0f`,
  `${CSI}0 q${CSI}0m\x1b]8;;\x1b\\`
].join('')

/** A full reset would also wipe the person's own scrollback; this undoes as much and clears only the screen. */
export const GENTLE_RESET = `${MODES_OFF}${CSI}H${CSI}2J`

const TAKE = `${CSI}22;0t`
/** Below whatever the program left on the screen. Beyond the last row is the last. */
export const GIVE_BACK = `${MODES_OFF}${CSI}23;0t${CSI}999;1H\r\n`

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

export interface OwnTerminalEvents {
  keys(bytes: Buffer): void
  resized(size: Size): void
  /** It is going away, or somebody wants us to end. */
  leave(): void
}

/** The terminal that we run in, lent to a program; given back as it was. */
export class OwnTerminal {
  #giveBack: (() => void) | undefined

  get isTaken(): boolean {
    return this.#giveBack !== undefined
  }

  get size(): Size {
    return { rows: process.stdout.rows, cols: process.stdout.columns }
  }

  show(bytes: Uint8Array): void {
    process.stdout.write(bytes)
  }

  /** Over the last row, until everything is shown anew: what is there is not ours to repair. */
  showNotice(text: string): void {
    const cut = text.slice(0, Math.max(0, this.size.cols - 1))
    process.stdout.write(`\x1b7${CSI}999;1H${CSI}0;7m${cut}${CSI}0m${CSI}K\x1b8`)
  }

  take(events: OwnTerminalEvents): void {
    if (this.#giveBack) return
    const onKeys = (bytes: Buffer) => events.keys(bytes)
    const onResize = () => events.resized(this.size)
    const leave = () => events.leave()
    process.stdout.write(TAKE)
    process.stdout.on('resize', onResize)
    process.stdin.on('end', leave).on('error', leave)
    process.stdin.setRawMode(true).resume().on('data', onKeys)
    for (const signal of SIGNALS) process.on(signal, leave)
    this.#giveBack = () => {
      for (const signal of SIGNALS) process.off(signal, leave)
      process.stdout.off('resize', onResize)
      process.stdout.write(GIVE_BACK)
      process.stdin.off('end', leave).off('error', leave).off('data', onKeys).pause().setRawMode(false)
    }
  }

  giveBack(): void {
    this.#giveBack?.()
    this.#giveBack = undefined
  }
}
