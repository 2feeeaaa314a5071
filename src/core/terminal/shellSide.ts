import type { ExitStatus } from '../../shared/terminal'
import type { BackendTerminal } from '../backends/backend'
import type { Logger } from '../log'
import { ShellKeeper } from './keptShell'
import { Keyboard } from './keyboard'
import { ShellWatch } from './shellWatch'
import type { TerminalOptions } from './terminalOptions'
import { TypedLines } from './typedLines'

export interface ShellSurroundings {
  /** Takes the bytes that are left when our marks are taken out. */
  pass(bytes: Buffer): void
  offset(): number
  /** Output from an offset on. */
  read(from: number, maxBytes: number): Buffer
  /** The rows of the screen as they are now. */
  screen(): string[]
  program(): BackendTerminal
  log: Logger
  attempt(what: string, work: () => Promise<void>): Promise<void>
}

/** A terminal's shell: its marks are read on the way out, keys pass the gate on the way in, and what is known is kept. */
export class ShellSide {
  readonly watch: ShellWatch
  readonly keyboard: Keyboard
  readonly typed: TypedLines
  readonly #keeper: ShellKeeper
  readonly #surroundings: ShellSurroundings
  readonly #wasKept: boolean

  constructor(
    {
      id,
      nonce,
      isIntegrated,
      shelf,
      input,
      giveBackAfterMs
    }: Pick<TerminalOptions, 'id' | 'nonce' | 'isIntegrated' | 'shelf' | 'input' | 'giveBackAfterMs'>,
    surroundings: ShellSurroundings
  ) {
    const { pass, offset, read, screen, program, attempt, log } = surroundings
    this.#surroundings = surroundings
    const kept = isIntegrated ? undefined : shelf?.load(id)
    this.#wasKept = kept !== undefined
    this.watch = new ShellWatch({ terminalId: id, nonce, isExpected: isIntegrated, kept, input, pass, offset })
    const isHidden = (): boolean => this.keyboard.control.state.needsPerson
    this.typed = new TypedLines({ offset, read, screen, isHidden })
    const parts = { watch: this.watch, typed: this.typed, program, attempt, offset, read, giveBackAfterMs }
    this.keyboard = new Keyboard(parts)
    this.#keeper = new ShellKeeper(id, { shelf, kept: () => this.watch.kept, log })
    this.watch.state.keep = () => this.#keeper.settle()
    this.watch.state.onChange(() => this.#keeper.changed())
    this.watch.commands.onStart(() => this.#keeper.changed())
    this.watch.commands.onEnd(() => this.#keeper.changed())
  }

  /** The commands that anyone entered, oldest first: as the shell says, else as they were typed and shown. */
  get entered(): string[] {
    const recorded = this.watch.commands.all().flatMap(({ command }) => (command === '' ? [] : [command]))
    return this.watch.state.isIntegrated || recorded.length > 0 ? recorded : this.typed.all()
  }

  /** Whole sequences of the program. */
  push(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.watch.push(bytes)
    this.keyboard.heard()
  }

  /** The program is there. One that was found alive told things to nobody meanwhile: what was kept is checked. */
  async begun(): Promise<void> {
    if (this.#wasKept) await this.#verify({ mayAsk: false })
  }

  /** Marks may have been missed. */
  verify(): Promise<void> {
    this.watch.state.markers.doubt()
    return this.#verify({ mayAsk: true })
  }

  #verify(how: { mayAsk: boolean }): Promise<void> {
    return this.#surroundings.attempt('verify', () => this.keyboard.verify(how))
  }

  ended(exit: ExitStatus | null): void {
    this.watch.ended(exit)
    this.typed.close()
    this.keyboard.close()
  }

  /** The next host will find what this one knows. */
  settle(): Promise<void> {
    return this.#keeper.settle()
  }

  close(): void {
    this.#keeper.forget()
    this.watch.close()
    this.typed.close()
    this.keyboard.close()
  }
}
