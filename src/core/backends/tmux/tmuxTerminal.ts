import { AppError } from '../../../shared/errors'
import { type ExitStatus, isUsableSize, type Size } from '../../../shared/terminal'
import type {
  BackendListener,
  BackendTerminal,
  ForegroundProgram,
  Presence,
  Reader,
  RememberedModes,
  TtyModes
} from '../backend'
import { endSession } from '../endSession'
import { foregroundOf } from '../foregroundOf'
import type { ProcessRow } from '../processTable'
import { encodeStamp, type Stamp } from '../stamp'
import { readTtyModes } from '../ttyModes'
import { Attachment } from './attachment'
import { type Line, TmuxRefusal } from './control'
import { ExitReport } from './exitReport'
import { Input } from './input'
import type { OutputPipe } from './outputPipe'
import { encodeModes } from './paneState'
import type { SeenPane, WatchedPane } from './paneWatch'
import { commandLine } from './quote'
import type { Pane, TmuxParts } from './tmuxParts'
import { WindowSize } from './windowSize'

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
  readonly #size: WindowSize
  readonly #attachment: Attachment
  readonly #input: Input
  readonly #exit: ExitReport
  #leaderStartTime: string | undefined
  #presence: Presence = 'ok'
  #isOver = false
  #forget: () => void = () => undefined

  constructor(pane: Pane, { parts, listener, onOver }: TmuxTerminalOptions) {
    const line = parts.control.bound()
    this.#pane = pane
    this.pid = pane.pid
    this.paneId = pane.paneId
    this.#parts = parts
    this.#line = line
    this.#listener = listener
    this.#onOver = onOver
    this.#size = new WindowSize({ paneId: pane.paneId, line, log: parts.log })
    this.#attachment = new Attachment({ paneId: pane.paneId, parts, line, listener, size: this.#size })
    this.#input = new Input(pane.paneId, { control: line, files: parts.files })
    this.#exit = new ExitReport({ control: line, watch: parts.watch }, (status) => this.#exited(status))
  }

  get pipeCount(): number {
    return this.#attachment.count
  }

  /** Goes on with a program that was just started with this pipe. */
  async begin(pipe: OutputPipe): Promise<void> {
    await this.#rememberLeader()
    this.#forget = this.#parts.watch.add(this)
    this.#attachment.take(pipe)
  }

  /** Takes up a program that runs already: `restored` first, then every byte after it. */
  async adopt(): Promise<void> {
    const state = await this.#attachment.open()
    if (!state.flag('pane_dead')) await this.#rememberLeader()
    this.#forget = this.#parts.watch.add(this)
    this.#parts.watch.lookNow()
  }

  /** One terminal after the other: tmux and this host serve nobody else while they copy a long history. */
  resync(reader: Reader): Promise<void> {
    return this.#parts.resyncs.run(async () => {
      if (reader.needsRestore && !this.#isOver) await this.#attachment.open()
    })
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#input.write(bytes)
  }

  async resize(size: Size): Promise<void> {
    requireUsable(size)
    await this.#size.set(size)
  }

  async kill(options?: { force?: boolean }): Promise<void> {
    const { processes, log } = this.#parts
    const session = { leader: this.pid, leaderStartTime: this.#leaderStartTime, tty: this.#pane.tty }
    const isEnded = await endSession(processes, session, options)
    if (!isEnded) log.warn({ session: this.#pane.tmuxSession }, 'a process of the terminal does not end')
    this.#forget()
    try {
      await this.#killSession()
    } catch (failure) {
      this.#forget = this.#parts.watch.add(this)
      throw failure
    }
    this.#letGo()
  }

  async restamp(stamp: Stamp): Promise<void> {
    await this.#setOption('@tandem_stamp', encodeStamp(stamp))
  }

  async remember({ reservedOffset, modes }: { reservedOffset?: number; modes?: RememberedModes }): Promise<void> {
    if (reservedOffset !== undefined) await this.#setOption('@tandem_offset', String(reservedOffset))
    if (modes !== undefined) await this.#setOption('@tandem_modes', encodeModes(modes))
  }

  async ttyPath(): Promise<string> {
    return this.#pane.tty
  }

  ttyModes(): Promise<TtyModes | undefined> {
    return readTtyModes(this.#pane.tty, this.#parts)
  }

  async foreground(): Promise<ForegroundProgram | undefined> {
    const leader = await this.#leader()
    return leader && foregroundOf(this.#parts.processes, leader)
  }

  async currentDirectory(): Promise<string | undefined> {
    const { processes } = this.#parts
    const leader = await this.#leader()
    if (!leader) return undefined
    const foreground = leader.foregroundGroup > 0 ? await processes.currentDirectory(leader.foregroundGroup) : undefined
    return foreground ?? processes.currentDirectory(this.pid)
  }

  async detach(): Promise<void> {
    const wasOpen = this.#attachment.isOpen
    this.#leave()
    const close = commandLine([['pipe-pane', '-t', this.paneId]])
    try {
      if (wasOpen) await this.#size.settle()
      if (wasOpen) await this.#line.run([['if-shell', '-F', '-t', this.paneId, '#{pane_dead}', '', close]])
    } catch (failure) {
      // A pane that is gone has no pipe either.
      if (!isGone(failure)) throw failure
    } finally {
      this.#letGo()
    }
  }

  seen({ isDead, isPiped, exit }: SeenPane): void {
    this.#setPresence('ok')
    if (isDead) this.#exit.dead(exit)
    else {
      void this.#rememberLeader()
      if (!isPiped) void this.#attachment.reopen()
    }
  }

  missing(): void {
    this.#letGo()
    this.#setPresence('lost')
  }

  unanswered(): void {
    this.#setPresence('unknown')
  }

  #setPresence(presence: Presence): void {
    if (presence === this.#presence) return
    this.#presence = presence
    this.#listener.presence(presence)
  }

  async #exited(status: ExitStatus): Promise<void> {
    await this.#attachment.drained()
    await this.#attachment.endRelay()
    if (this.#isOver) return
    this.#leave()
    this.#attachment.close()
    this.#listener.exited(status)
  }

  async #setOption(name: string, value: string): Promise<void> {
    await this.#line.run([['set-option', '-t', this.paneId, name, value]])
  }

  // The very process we know: a pid alone may be another one by now.
  async #leader(): Promise<ProcessRow | undefined> {
    const leader = await this.#parts.processes.find(this.pid)
    return leader?.startTime === this.#leaderStartTime ? leader : undefined
  }

  // Looked up at the start; where that failed, again when tmux has just said that it lives. Without it tmux alone hangs it up.
  async #rememberLeader(): Promise<void> {
    if (this.#leaderStartTime !== undefined) return
    const { processes, log } = this.#parts
    try {
      this.#leaderStartTime = (await processes.find(this.pid))?.startTime
    } catch (failure) {
      log.debug({ err: failure, pid: this.pid }, 'a program could not be looked up')
    }
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
    this.#exit.stop()
    this.#forget()
  }

  #letGo(): void {
    this.#leave()
    this.#attachment.close()
    this.#onOver()
  }
}

export function requireUsable({ rows, cols }: Size): void {
  if (isUsableSize({ rows, cols })) return
  throw new AppError('INVALID_ARGUMENTS', `The size ${cols}x${rows} cannot be used`, 'Rows 1-500, cols 2-1000.')
}

// tmux knows no such pane, or is another server by now.
function isGone(failure: unknown): boolean {
  return failure instanceof TmuxRefusal || AppError.from(failure).code === 'SESSION_ERROR'
}
