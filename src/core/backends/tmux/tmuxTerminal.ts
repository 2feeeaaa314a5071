import { AppError } from '../../../shared/errors'
import { type ExitStatus, isUsableSize, type Size } from '../../../shared/terminal'
import type { BackendListener, BackendTerminal, Presence, RememberedModes } from '../backend'
import { encodeStamp, type Stamp } from '../stamp'
import { attachSequence } from './attachSequence'
import { type Line, TmuxRefusal } from './control'
import { endSession } from '../endSession'
import { ExitReport } from './exitReport'
import { Input } from './input'
import type { OutputPipe } from './outputPipe'
import { encodeModes, type PaneState } from './paneState'
import type { SeenPane, WatchedPane } from './paneWatch'
import { commandLine } from './quote'
import { Serial } from './serial'
import type { Pane, TmuxParts } from './tmuxParts'

/** tmux passes on sizes at most four times a second; a program must see both to draw itself anew. */
const NUDGE_MS = 300

export interface TmuxTerminalOptions {
  parts: TmuxParts
  listener: BackendListener
  /** Nothing of it is open any more. */
  onOver(): void
}

/** One program in tmux: its bytes out over a pipe, keys in over the control line, its end told once. */
export class TmuxTerminal implements BackendTerminal, WatchedPane {
  readonly pid: number
  readonly paneId: string
  readonly #pane: Pane
  readonly #parts: TmuxParts
  readonly #line: Line
  readonly #listener: BackendListener
  readonly #onOver: () => void
  readonly #input: Input
  readonly #exit: ExitReport
  readonly #attaching = new Serial()
  #pipe: OutputPipe | undefined
  #leaderStartTime: string | undefined
  #presence: Presence = 'ok'
  #isReattaching = false
  #forget: () => void = () => undefined
  #nudge: NodeJS.Timeout | undefined
  #isOver = false
  pipeCount = 0

  constructor(pane: Pane, { parts, listener, onOver }: TmuxTerminalOptions) {
    this.#pane = pane
    this.pid = pane.pid
    this.paneId = pane.paneId
    this.#parts = parts
    this.#line = parts.control.bound()
    this.#listener = listener
    this.#onOver = onOver
    this.#input = new Input(pane.paneId, { control: this.#line, files: parts.files })
    this.#exit = new ExitReport({ control: this.#line, watch: parts.watch }, (status) => this.#exited(status))
  }

  /** Goes on with a program that was just started with this pipe. */
  async begin(pipe: OutputPipe): Promise<void> {
    await this.#rememberLeader()
    this.#pipe = pipe
    this.#forget = this.#parts.watch.add(this)
    pipe.release()
  }

  /** Takes up a program that runs already: `restored` first, then every byte after it. */
  async adopt(): Promise<void> {
    const state = await this.#attach()
    if (!state.flag('pane_dead')) await this.#rememberLeader()
    this.#forget = this.#parts.watch.add(this)
    this.#parts.watch.lookNow()
  }

  async resync(): Promise<void> {
    await this.#attach()
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#input.write(bytes)
  }

  async resize(size: Size): Promise<void> {
    if (!isUsableSize(size)) {
      throw new AppError(
        'INVALID_ARGUMENTS',
        `The size ${size.cols}x${size.rows} cannot be used`,
        'Rows 1-500, cols 2-1000.'
      )
    }
    clearTimeout(this.#nudge)
    await this.#resizeWindow(size)
  }

  async kill(options?: { force?: boolean }): Promise<void> {
    const { processes, log } = this.#parts
    const session = { leader: this.pid, leaderStartTime: this.#leaderStartTime, tty: this.#pane.tty }
    const isGone = await endSession(processes, session, options)
    if (!isGone) log.warn({ session: this.#pane.tmuxSession }, 'a process of the terminal does not end')
    this.#forget()
    try {
      await this.#killSession()
    } catch (failure) {
      this.#forget = this.#parts.watch.add(this)
      throw failure
    }
    this.#leave()
    this.#closePipe()
    this.#onOver()
  }

  async restamp(stamp: Stamp): Promise<void> {
    await this.#setOptions([['@tandem_stamp', encodeStamp(stamp)]])
  }

  async remember({ reservedOffset, modes }: { reservedOffset?: number; modes?: RememberedModes }): Promise<void> {
    await this.#setOptions([
      ...(reservedOffset === undefined ? [] : [['@tandem_offset', String(reservedOffset)] as const]),
      ...(modes === undefined ? [] : [['@tandem_modes', encodeModes(modes)] as const])
    ])
  }

  async ttyPath(): Promise<string> {
    return this.#pane.tty
  }

  async currentDirectory(): Promise<string | undefined> {
    const { processes } = this.#parts
    const leader = await processes.find(this.pid)
    if (!leader || leader.startTime !== this.#leaderStartTime) return undefined
    const foreground = leader.foregroundGroup > 0 ? await processes.currentDirectory(leader.foregroundGroup) : undefined
    return foreground ?? processes.currentDirectory(this.pid)
  }

  async detach(): Promise<void> {
    this.#leave()
    this.#onOver()
    const close = commandLine([['pipe-pane', '-t', this.paneId]])
    try {
      if (this.#pipe) await this.#line.run([['if-shell', '-F', '-t', this.paneId, '#{pane_dead}', '', close]])
    } catch (failure) {
      // A pane that is gone has no pipe either.
      if (!isGone(failure)) throw failure
    } finally {
      this.#closePipe()
    }
  }

  seen({ isDead, isPiped, exit }: SeenPane): void {
    this.#setPresence('ok')
    if (isDead) this.#exit.dead(exit)
    else if (!isPiped && !this.#isReattaching) void this.#reattach()
  }

  missing(): void {
    this.#leave()
    this.#closePipe()
    this.#onOver()
    this.#setPresence('lost')
  }

  unanswered(): void {
    this.#setPresence('unknown')
  }

  async #exited(status: ExitStatus): Promise<void> {
    await this.#pipe?.drained()
    if (this.#isOver) return
    await this.#pipe?.endRelay()
    this.#leave()
    this.#closePipe()
    this.#listener.exited(status)
  }

  #setPresence(presence: Presence): void {
    if (presence === this.#presence) return
    this.#presence = presence
    this.#listener.presence(presence)
  }

  // Somebody closed the pipe: the watchdog while this host was stopped, or a relay that was killed.
  async #reattach(): Promise<void> {
    this.#isReattaching = true
    try {
      await this.#attach()
    } catch (failure) {
      this.#parts.log.warn({ err: failure, session: this.#pane.tmuxSession }, 'the output pipe could not be reopened')
    } finally {
      this.#isReattaching = false
    }
  }

  #attach(): Promise<PaneState> {
    return this.#attaching.run(async () => {
      const { files, pipes, eventPath } = this.#parts
      const pipe = await pipes.open((bytes) => this.#listener.output(bytes))
      try {
        const target = { paneId: this.paneId, pipe, eventPath: eventPath() }
        const { screen, state } = await attachSequence({ control: this.#line, files }, target)
        this.#closePipe()
        this.#pipe = pipe
        this.pipeCount += 1
        this.#listener.restored(screen)
        pipe.release()
        if (state.flag('alternate_on') && !state.flag('pane_dead')) this.#startNudge(screen.size)
        return state
      } catch (failure) {
        pipes.close(pipe)
        throw failure
      }
    })
  }

  #closePipe(): void {
    if (this.#pipe) this.#parts.pipes.close(this.#pipe)
    this.#pipe = undefined
  }

  // Full-screen programs redraw when their size changes; what tmux does not expose comes back that way.
  #startNudge(size: Size): void {
    const smaller = { ...size, rows: size.rows > 1 ? size.rows - 1 : size.rows + 1 }
    const attempt = (wanted: Size) =>
      this.#resizeWindow(wanted).catch((failure: unknown) => {
        this.#parts.log.debug({ err: failure }, 'a full-screen program could not be nudged')
      })
    void attempt(smaller)
    clearTimeout(this.#nudge)
    this.#nudge = setTimeout(() => void attempt(size), NUDGE_MS)
  }

  async #resizeWindow({ rows, cols }: Size): Promise<void> {
    try {
      await this.#line.run([['resize-window', '-t', this.paneId, '-x', String(cols), '-y', String(rows)]])
    } catch (failure) {
      if (!(failure instanceof TmuxRefusal)) throw failure
      throw new AppError('PTY_ERROR', `tmux did not resize to ${cols}x${rows}: "${failure.refusal}"`)
    }
  }

  async #setOptions(options: readonly (readonly [name: string, value: string])[]): Promise<void> {
    if (options.length === 0) return
    await this.#line.run(options.map(([name, value]) => ['set-option', '-t', this.paneId, name, value]))
  }

  async #rememberLeader(): Promise<void> {
    const leader = await this.#parts.processes.find(this.pid)
    this.#leaderStartTime = leader?.startTime
  }

  // Only the very pane we know, and only if it is ours. One that is gone already is what was wanted.
  async #killSession(): Promise<void> {
    const kill = commandLine([['kill-session', '-t', this.paneId]])
    const isOurs = `#{==:#{@tandem_owner},${this.#parts.owner}}`
    try {
      await this.#line.run([['if-shell', '-F', '-t', this.paneId, isOurs, kill, '']])
      await this.#line.run([['has-session', '-t', this.paneId]])
    } catch (failure) {
      if (isGone(failure)) return
      throw failure
    }
    throw new AppError('IO_ERROR', `tmux did not end "${this.#pane.tmuxSession}"`, 'Try again.')
  }

  #leave(): void {
    this.#isOver = true
    clearTimeout(this.#nudge)
    this.#exit.stop()
    this.#forget()
  }
}

// tmux knows no such pane, or is another server by now.
function isGone(failure: unknown): boolean {
  return failure instanceof TmuxRefusal || AppError.from(failure).code === 'SESSION_ERROR'
}
