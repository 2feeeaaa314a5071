import type { Actor, ExitStatus, TerminalId } from '../../shared/terminal'
import { CallMarkers } from './callMarkers'
import { CommandRecords } from './commandRecords'
import { EchoedLine } from './echoedLine'
import { type KeptShell, keptShellSchema } from './keptShell'
import type { ShellInput } from './shellInput'
import { MarkFilter, type ShellMark } from './shellMarks'
import { ShellState } from './shellState'

/** A prompt whose end is not told, because something took our part of it away, counts as drawn after this long. */
const PROMPT_LIMIT_MS = 300
const LINE_FEED = 0x0a

export interface ShellWatchOptions {
  terminalId: TerminalId
  nonce: string
  /** We set this shell up, so that it will tell about itself. */
  isExpected: boolean
  /** What an earlier host kept about it. */
  kept: unknown
  input?: ShellInput | undefined
  /** Bytes without marks, in their order. */
  pass(bytes: Buffer): void
  /** The offset of the next byte to pass. */
  offset(): number
}

/** Reads the marks of a shell out of a terminal's bytes: where it is, and a record of every command. */
export class ShellWatch {
  readonly state: ShellState
  readonly commands: CommandRecords
  readonly #options: ShellWatchOptions
  readonly #filter: MarkFilter
  readonly #echo = new EchoedLine()
  #lastEnter: Actor | null = null
  #hasEnteredSincePrompt = false
  #promptTimer: NodeJS.Timeout | undefined
  #isPromptDue = false
  #hasSpoken = false
  /** The end of the last line was told, and nothing has begun since. */
  #isEndTold = false
  #hookTimer: NodeJS.Timeout | undefined

  constructor(options: ShellWatchOptions) {
    this.#options = options
    this.#filter = new MarkFilter(options.nonce)
    this.state = new ShellState({ input: options.input, markers: new CallMarkers((bytes) => this.#read(bytes)) })
    this.commands = new CommandRecords(options.terminalId)
    if (options.isExpected) this.state.set({ state: 'running' })
    this.#restore(options.kept)
  }

  /** At a prompt, and nobody has pressed Enter since: nothing else reads the keyboard. */
  get isIdle(): boolean {
    return this.state.state === 'prompt' && !this.#hasEnteredSincePrompt
  }

  /** Whether a mark of its shell ever came. */
  get hasSpoken(): boolean {
    return this.#hasSpoken
  }

  get kept(): KeptShell {
    const { state, cwd } = this.state
    const pendingMark = this.state.markers.pending
    return { state, cwd: cwd ?? null, commands: this.commands.kept, ...(pendingMark ? { pendingMark } : {}) }
  }

  /** Whole sequences as they come; they are passed on without our marks. */
  push(bytes: Buffer): void {
    this.state.markers.push(bytes)
  }

  #read(bytes: Buffer): void {
    for (const part of this.#filter.split(bytes)) {
      if (!Buffer.isBuffer(part)) this.#obey(part)
      else {
        this.#echo.push(part)
        if (this.#isPromptDue) this.state.promptRows += rowsIn(part)
        this.#options.pass(part)
      }
    }
  }

  /** Somebody pressed Enter: the next command is theirs. */
  entered(actor: Actor): void {
    this.#lastEnter = actor
    this.#hasEnteredSincePrompt = true
  }

  /** The shell that told about itself is no longer there: another program took its place, or its marks are missed. */
  lost(): void {
    this.#endCommand(null, { wasSeen: false })
    this.state.set({ state: 'unknown' })
  }

  /** It is at its prompt, although its marks did not say so: they came while nobody listened. */
  foundAtPrompt(): void {
    this.#endCommand(null, { wasSeen: false })
    this.#hasEnteredSincePrompt = false
    this.state.set({ state: 'prompt' })
  }

  /** The program of the terminal has ended, and with it what ran in it. */
  ended(exit: ExitStatus | null): void {
    this.close()
    this.state.markers.end()
    this.state.agent.left()
    this.#endCommand(exit?.exitCode ?? null, { wasSeen: true })
  }

  close(): void {
    clearTimeout(this.#promptTimer)
    clearTimeout(this.#hookTimer)
  }

  #obey(mark: ShellMark): void {
    this.#hasSpoken = true
    if (mark.kind === 'directory') this.state.set({ cwd: mark.path })
    else if (mark.kind === 'commandStart') this.#commandStarted(mark)
    else if (mark.kind === 'commandEnd') this.#commandEnded(mark)
    else if (mark.kind === 'unrun') this.state.didNotRun(mark.isIncomplete)
    else if (mark.kind === 'promptStart') this.#promptStarted()
    else this.#promptEnded(mark.exitCode)
  }

  #commandEnded({ exitCode, by }: Extract<ShellMark, { kind: 'commandEnd' }>): void {
    if (by === 'prompt' && !this.commands.current) return
    clearTimeout(this.#hookTimer)
    if (!this.#isEndTold) this.state.lastEnd = { exitCode, at: this.#options.offset() }
    this.#isEndTold = true
    this.#endCommand(exitCode, { wasSeen: true })
    // Our hook follows at once. Where somebody took it away, the next prompt is drawn without a word.
    if (by === 'sign') this.#hookTimer = setTimeout(() => this.#promptUntold(), PROMPT_LIMIT_MS).unref()
  }

  #promptUntold(): void {
    this.#isPromptDue = true
    this.#promptEnded(null)
  }

  #promptStarted(): void {
    this.#isEndTold = false
    this.#echo.end()
    this.#isPromptDue = true
    this.state.promptRows = 1
    // Also after a line that was no command at all, such as one with a syntax error: whoever waits hears of it.
    this.state.set({ state: 'running' })
    clearTimeout(this.#promptTimer)
    this.#promptTimer = setTimeout(() => this.#promptEnded(null), PROMPT_LIMIT_MS).unref()
  }

  #promptEnded(exitCode: number | null): void {
    // Somebody prints a prompt while a command runs. With an exit code it is the shell's own: its other hooks are gone.
    if (this.state.state !== 'prompt' && !this.#isPromptDue && exitCode === null) return
    clearTimeout(this.#promptTimer)
    this.#isPromptDue = false
    this.#isEndTold = false
    this.state.redrawnAt ??= this.#options.offset()
    this.#echo.begin()
    this.#endCommand(exitCode, { wasSeen: true })
    if (this.state.state !== 'prompt') this.#hasEnteredSincePrompt = false
    this.state.set({ state: 'prompt' })
  }

  #commandStarted({ command, isRepeat }: Extract<ShellMark, { kind: 'commandStart' }>): void {
    this.close()
    this.#isPromptDue = false
    this.#isEndTold = false
    const shown = this.#echo.text
    this.#echo.end()
    this.#endCommand(null, { wasSeen: true })
    this.state.set({ state: 'running' })
    // Typed where nothing is shown: it may be a secret, unless it is what an agent said that it would run.
    if (shown === '' && !this.commands.isExpecting) return
    // The shell says that this is its last line again, or one that begins with a space and is kept out of its history.
    const isHidden = command === undefined || (isRepeat && shown?.startsWith(' '))
    this.commands.start({
      actor: this.#lastEnter,
      command: isHidden ? '' : command,
      cwd: this.state.cwd ?? null,
      from: this.#options.offset()
    })
  }

  #endCommand(exitCode: number | null, { wasSeen }: { wasSeen: boolean }): void {
    // The shell in which it ran is gone.
    this.state.markers.abandon()
    this.commands.end({ exitCode, to: this.#options.offset(), wasSeen })
  }

  #restore(kept: unknown): void {
    const parsed = keptShellSchema.safeParse(kept)
    if (!parsed.success) return
    const { state, cwd, commands, pendingMark } = parsed.data
    this.commands.restore(commands, { isInside: pendingMark !== undefined })
    if (pendingMark !== undefined) {
      const ended = (exitCode: number | null) =>
        this.commands.endInside({ exitCode, to: this.#options.offset(), wasSeen: exitCode !== null })
      this.state.markers.resume({ end: pendingMark, ended })
    }
    this.#hasSpoken = true
    this.state.set({ state, ...(cwd === null ? {} : { cwd }) })
  }
}

function rowsIn(bytes: Buffer): number {
  let rows = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) rows++
  return rows
}
