import type { IParser } from '@xterm/xterm'

const MODIFY_OTHER_KEYS = 4
const DISAMBIGUATE = 1
// The emulator resets its own modes on a full reset; these go with them.
const FULL_RESET = { final: 'c' }

/** What the program asked of the keyboard that the emulator does not keep: it decides how Shift+Enter is told. */
export class KeyboardModes {
  #flags: number[] = []
  #otherKeys = 0

  constructor(parser: IParser) {
    const first = (parameters: (number | number[])[], index = 0) => Number(parameters[index] ?? 0)
    parser.registerCsiHandler({ prefix: '>', final: 'u' }, (parameters) => this.#push(first(parameters)))
    parser.registerCsiHandler({ prefix: '<', final: 'u' }, (parameters) => this.#pop(first(parameters) || 1))
    parser.registerCsiHandler({ prefix: '=', final: 'u' }, (parameters) => this.#put(first(parameters)))
    parser.registerCsiHandler({ prefix: '>', final: 'm' }, (parameters) => {
      if (first(parameters) === MODIFY_OTHER_KEYS || parameters.length === 0) this.#otherKeys = first(parameters, 1)
      return false
    })
    parser.registerEscHandler(FULL_RESET, () => {
      this.#flags = []
      this.#otherKeys = 0
      return false
    })
  }

  /**
   * The bytes of Shift+Enter for a program that can tell it from Enter, else undefined. One that edits text outside the
   * alternate screen and asked about focus is an agent's prompt or a shell of our days: there Alt+Enter is a new line.
   */
  shiftEnter(modes: { bracketedPasteMode: boolean; sendFocusMode: boolean }, isAlternate: boolean): string | undefined {
    if (((this.#flags.at(-1) ?? 0) & DISAMBIGUATE) !== 0) return '\x1b[13;2u'
    if (this.#otherKeys >= 2) return '\x1b[27;2;13~'
    return modes.bracketedPasteMode && modes.sendFocusMode && !isAlternate ? '\x1b\r' : undefined
  }

  #push(flags: number): boolean {
    // A program that pushes without end keeps the newest ones.
    this.#flags = [...this.#flags, flags].slice(-16)
    return true
  }

  #pop(count: number): boolean {
    this.#flags.splice(Math.max(0, this.#flags.length - count))
    return true
  }

  #put(flags: number): boolean {
    this.#flags.splice(-1, 1, flags)
    return true
  }
}
