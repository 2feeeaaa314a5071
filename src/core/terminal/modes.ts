import type { RememberedModes } from '../backends/backend'

export const NO_MODES: RememberedModes = { bracketedPaste: false, focusReporting: false, cursorShape: 0 }

export function sameModes(one: RememberedModes, other: RememberedModes): boolean {
  return (
    one.bracketedPaste === other.bracketedPaste &&
    one.focusReporting === other.focusReporting &&
    one.cursorShape === other.cursorShape
  )
}

/** The sequences that set these modes in a fresh emulator. */
export function modeBytes({ bracketedPaste, focusReporting, cursorShape }: RememberedModes): Buffer {
  const set = [bracketedPaste && '?2004h', focusReporting && '?1004h', cursorShape > 0 && `${cursorShape} q`]
  return Buffer.from(set.map((mode) => (mode ? `\x1b[${mode}` : '')).join(''))
}

/** Modes that flicker (a shell sets bracketed paste around every command) are kept once they have settled. */
const SETTLE_MS = 200

/** Keeps the modes of a program with the program, shortly after they change. */
export class ModesKeeper {
  readonly #keep: (modes: RememberedModes) => Promise<void>
  readonly #failed: (thrown: unknown) => void
  #modes: RememberedModes
  #timer: NodeJS.Timeout | undefined

  constructor(
    modes: RememberedModes,
    { keep, failed }: { keep: (modes: RememberedModes) => Promise<void>; failed: (thrown: unknown) => void }
  ) {
    this.#modes = modes
    this.#keep = keep
    this.#failed = failed
  }

  get modes(): RememberedModes {
    return this.#modes
  }

  changed(modes: RememberedModes): void {
    this.#modes = modes
    this.#timer ??= setTimeout(() => void this.settle(), SETTLE_MS)
  }

  /** Keeps at once what has changed and is not kept yet. */
  async settle(): Promise<void> {
    if (!this.#timer) return
    this.forget()
    try {
      await this.#keep(this.#modes)
    } catch (thrown) {
      this.#failed(thrown)
    }
  }

  /** The program is gone: there is nothing to keep. */
  forget(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
