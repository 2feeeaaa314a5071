import type { Actor } from '../../shared/terminal'
import type { BackendTerminal } from '../backends/backend'
import { Control } from './control'
import { LookTimer } from './lookTimer'
import { asksForSecret, MAX_PROMPT_BYTES } from './secretPrompt'
import { isCarrier } from './shellCarriers'
import { isOurShell } from './shellIntegration'
import type { ShellWatch } from './shellWatch'
import type { TypedLines } from './typedLines'
import { hasEnter, hasInterrupt, isTyping } from './typing'

/** Keys of ours in the shells that we set up: they run what lies ready, and what stands in the line stays there. */
const TELL_KEYS = '\x18\x1e'
const TELL_LIMIT_MS = 2_000

export interface KeyboardOptions {
  watch: ShellWatch
  typed: TypedLines
  /** The program; throws when it cannot be typed to now. */
  program(): BackendTerminal
  /** The end of the output now, and output from an offset on. */
  offset(): number
  read(from: number, maxBytes: number): Buffer
  giveBackAfterMs(): number
  /** For looks that may fail: logs it. */
  attempt(what: string, work: () => Promise<void>): Promise<void>
}

/** The one way in: every write passes the gate, and nobody but a person answers a prompt that hides what is typed. */
export class Keyboard {
  readonly control: Control
  readonly #options: KeyboardOptions
  readonly #looks: LookTimer
  #looking: Promise<boolean> | undefined
  /** Where the output ended when somebody pressed Enter last. */
  #enteredAt = -1

  constructor(options: KeyboardOptions) {
    this.#options = options
    this.control = new Control({
      isAtPrompt: () => this.#isAtPrompt(),
      look: () => this.needsPerson(),
      giveBackAfterMs: options.giveBackAfterMs
    })
    this.#looks = new LookTimer(() => void options.attempt('look at the keyboard', () => this.#look()))
    options.watch.state.onChange(() => this.#shellChanged())
  }

  async write(bytes: Uint8Array, actor: Actor): Promise<void> {
    if (actor.kind === 'agent') return this.control.write(actor, () => this.#pass(bytes, actor))
    const program = this.#options.program()
    if (isTyping(bytes)) this.control.typed(actor)
    await this.#pass(bytes, actor, program)
  }

  /** Whether the program reads a line without showing it, as passwords are read. */
  needsPerson(): Promise<boolean> {
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** The program printed something, which is when it may begin to ask. */
  heard(): void {
    if (!this.#options.watch.isIdle) this.#looks.soon()
  }

  /**
   * Marks may have been missed: finds out whether the shell is still where it last said it was. `mayAsk`: nobody else can
   * have typed meanwhile, so that the code it ended with last is that of the command we know of.
   */
  async verify({ mayAsk }: { mayAsk: boolean }): Promise<void> {
    const { watch } = this.#options
    if (!watch.state.isIntegrated) return
    const program = this.#options.program()
    const [foreground, modes] = await Promise.all([program.foreground(), program.ttyModes()])
    if (!foreground || !modes || !watch.state.isIntegrated) return
    if (!foreground.isOwnProgram) watch.state.set({ state: 'running' })
    else if (!isOurShell(foreground.words)) watch.lost()
    // A shell reads key by key at its prompt and gives line mode back to what it runs.
    else if (!modes.isCanonical) {
      if (mayAsk && watch.commands.current) await this.#askForEnd()
      watch.foundAtPrompt()
    }
  }

  /** Has the shell say again how its last command ended; resolves when it did, or is not going to. */
  async #askForEnd(): Promise<void> {
    const { commands, state } = this.#options.watch
    if (!state.input) return
    state.input.put('__tandem_tell\n')
    await new Promise<void>((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer)
        stop()
        resolve()
      }
      const timer = setTimeout(done, TELL_LIMIT_MS)
      const stop = commands.onEnd(done)
      this.#options.program().write(Buffer.from(TELL_KEYS)).catch(reject)
    })
    state.input.clear()
  }

  close(): void {
    this.#looks.stop()
    this.control.close()
  }

  async #pass(bytes: Uint8Array, actor: Actor, program = this.#options.program()): Promise<void> {
    if (hasEnter(bytes)) {
      this.#options.watch.entered(actor)
      this.#enteredAt = this.#options.offset()
    }
    const { agent } = this.#options.watch.state
    if (agent.isAsking && isTyping(bytes)) agent.answered()
    if (hasInterrupt(bytes)) this.#options.watch.state.markers.doubt()
    // On its way first; what is noted about it is noted before anything can come back.
    const written = program.write(bytes)
    this.#options.typed.add(bytes)
    this.#looks.soon()
    await written
  }

  async #ask(): Promise<boolean> {
    const needsPerson = !this.#options.watch.isIdle && (await this.#isHidden())
    this.control.setNeedsPerson(needsPerson)
    return needsPerson
  }

  async #isHidden(): Promise<boolean> {
    const modes = await this.#options.program().ttyModes()
    // A look that failed says nothing: what hid before is taken to hide still.
    if (!modes) return this.control.state.needsPerson
    return modes.isCanonical ? !modes.echoes : this.#seemsHidden()
  }

  /** Behind a connection the modes of the other side cannot be asked for: there the words are all there is to go by. */
  async #seemsHidden(): Promise<boolean> {
    const { offset, read, program } = this.#options
    const end = offset()
    // What was printed before Enter has its answer.
    if (end <= this.#enteredAt) return false
    const tail = read(Math.max(0, end - MAX_PROMPT_BYTES), MAX_PROMPT_BYTES)
    return asksForSecret(tail) && isCarrier((await program().foreground())?.name ?? '')
  }

  async #look(): Promise<void> {
    const { watch } = this.#options
    await this.needsPerson()
    // A shell that was never ours says itself when what an agent runs in it is over.
    if (watch.state.state !== 'running' || watch.state.markers.pending) return
    const program = this.#options.program()
    const foreground = await program.foreground()
    if (!foreground?.isOwnProgram) return
    // `exec` of another program, or of a shell that we did not set up: no mark will come any more.
    if (!isOurShell(foreground.words)) watch.lost()
    else if (!watch.hasSpoken && (await program.ttyModes())?.isCanonical === false) watch.lost()
  }

  async #isAtPrompt(): Promise<boolean> {
    const { watch, attempt, program } = this.#options
    if (watch.state.state !== 'unknown') return watch.state.state === 'prompt'
    let isAtPrompt = false
    await attempt('look for a prompt', async () => {
      isAtPrompt = (await program().foreground())?.isOwnProgram === true
    })
    return isAtPrompt
  }

  #shellChanged(): void {
    const { watch } = this.#options
    if (watch.state.state === 'prompt') this.control.active()
    if (!watch.isIdle) return
    this.#looks.stop()
    this.control.setNeedsPerson(false)
  }
}
