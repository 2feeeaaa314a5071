import type { IPty } from 'node-pty'
import { AppError } from '../../../shared/errors'
import type { Size } from '../../../shared/terminal'
import type { Logger } from '../../log'
import type { BackendTerminal, ForegroundProgram, Reader, TtyModes } from '../backend'
import { endSession } from '../endSession'
import { foregroundOf } from '../foregroundOf'
import { type ProcessRow, type ProcessTable, systemProcesses } from '../processTable'
import type { SmallPrograms } from '../smallPrograms'
import { readTtyModes } from '../ttyModes'
import { PtyWriteQueue } from './ptyWriteQueue'

/** What node-pty's Unix terminal has beyond its typings; its tests would notice a change. */
export interface UnixPty extends IPty {
  readonly fd: number
  readonly ptsName: string
  readonly _socket: {
    destroy(): void
    read(): unknown
    readonly _readableState: { decoder: unknown; encoding: string | null; readonly length: number }
  }
}

/** What the terminals of one backend share. */
export interface PtyParts {
  programs: SmallPrograms
  log: Logger
}

/** One program in a pty of this process. */
export class PtyTerminal implements BackendTerminal {
  readonly #pty: UnixPty
  readonly #queue: PtyWriteQueue
  readonly #processes: ProcessTable = systemProcesses()
  #leader: ProcessRow | undefined
  readonly #parts: PtyParts
  #ended = false

  constructor(pty: UnixPty, parts: PtyParts) {
    this.#pty = pty
    this.#parts = parts
    this.#queue = new PtyWriteQueue(pty.fd)
    this.#leaderStartTime().catch((failure: unknown) => {
      parts.log.debug({ err: failure, pid: pty.pid }, 'a program could not be looked up at its start')
    })
  }

  get pid(): number {
    return this.#pty.pid
  }

  /** Its descriptor is about to be closed: nothing is asked or written by it any more. */
  ended(): void {
    this.#ended = true
    this.#queue.close()
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#queue.write(bytes)
  }

  async resize({ cols, rows }: Size): Promise<void> {
    if (this.#ended) return
    try {
      this.#pty.resize(cols, rows)
    } catch (cause) {
      throw new AppError('PTY_ERROR', `Cannot resize to ${cols}×${rows}`, undefined, { cause })
    }
  }

  /** Looked up at the start; where that failed, at the latest before it is needed, as long as the program lives. */
  async #leaderStartTime(): Promise<string | undefined> {
    if (!this.#ended) this.#leader ??= await this.#processes.find(this.#pty.pid)
    return this.#leader?.startTime
  }

  async kill({ force = false }: { force?: boolean } = {}): Promise<void> {
    const { pid: leader } = this.#pty
    const session = { leader, leaderStartTime: await this.#leaderStartTime(), tty: this.#pty.ptsName }
    const isGone = await endSession(this.#processes, session, { force })
    if (!isGone) throw new AppError('PTY_ERROR', `A process of terminal ${this.#pty.pid} does not end`, 'Try again.')
  }

  // What a tmux terminal keeps for the next host has no keeper here: the program ends with this one.
  restamp(): Promise<void> {
    return Promise.resolve()
  }

  remember(): Promise<void> {
    return Promise.resolve()
  }

  detach(): Promise<void> {
    return Promise.resolve()
  }

  /** Nobody else knows the screen of our own pty: the program waits until its reader has caught up. */
  async resync(reader: Reader): Promise<void> {
    this.#pty.pause()
    try {
      await reader.caughtUp()
    } finally {
      this.#pty.resume()
    }
  }

  async ttyPath(): Promise<string> {
    return this.#pty.ptsName
  }

  ttyModes(): Promise<TtyModes | undefined> {
    return this.#ended ? Promise.resolve(undefined) : readTtyModes(this.#pty.ptsName, this.#parts)
  }

  async foreground(): Promise<ForegroundProgram | undefined> {
    const leader = await this.#processes.find(this.#pty.pid)
    return leader && !this.#ended ? foregroundOf(this.#processes, leader) : undefined
  }

  async currentDirectory(): Promise<string | undefined> {
    const leader = await this.#processes.find(this.#pty.pid)
    if (!leader) return undefined
    const ofForeground = await this.#processes.currentDirectory(leader.foregroundGroup)
    return ofForeground ?? this.#processes.currentDirectory(leader.pid)
  }
}
