import type { BackendKind, ExitStatus, Size } from '../../shared/terminal'
import type { ProcessIdentity } from './processTable'
import type { Stamp } from './stamp'

/** Everything a backend needs to start one program. */
export interface ProgramSpec {
  /** The generated `mc-…` name, already unique among known terminals. */
  tmuxSession: string
  stamp: Stamp
  /** Absolute path of the program, then its arguments. */
  command: readonly [string, ...string[]]
  cwd: string
  /** The program's whole environment, already filtered. */
  env: Readonly<Record<string, string>>
  size: Size
  /** First output offset not yet handed out; kept with the program so that offsets are never reused. */
  reservedOffset: number
}

/** Modes that the keeper of the program does not expose and we must remember ourselves. */
export interface RememberedModes {
  bracketedPaste: boolean
  focusReporting: boolean
  /** DECSCUSR parameter, 0 = default. */
  cursorShape: number
}

/** A program of ours that was found alive (or dead but kept) by a backend. */
export interface LivingTerminal {
  tmuxSession: string
  stamp: Stamp
  pid: number
  size: Size
  reservedOffset: number
  modes: RememberedModes
  /** When its program began and ended; absent where the keeper does not know. */
  lifetime?: { startedAt: string | null; endedAt: string | null }
}

/** State that a fresh emulator reproduces by being fed `bytes`; `pending` is the start of a sequence still arriving. */
export interface RestoredScreen {
  size: Size
  bytes: Buffer
  pending: Buffer
}

/** `ok`: answers. `unknown`: the keeper does not answer now. `lost`: the program is proved gone without an exit. */
export type Presence = 'ok' | 'unknown' | 'lost'

/** The terminal's ear. Calls come in order; `output` carries every byte of the program once. */
export interface BackendListener {
  output(bytes: Buffer): void
  /** Bytes may have been missed before this: start afresh from `screen`; `output` continues exactly after it. */
  restored(screen: RestoredScreen): void
  /** Called once, after the last byte. */
  exited(status: ExitStatus): void
  presence(presence: Presence): void
}

/** How a terminal treats its input now. */
export interface TtyModes {
  /** Line by line (ICANON); shells at their prompt and full-screen programs read key by key. */
  isCanonical: boolean
  /** What is typed is shown by the terminal itself. */
  echoes: boolean
}

/** The program that has the terminal now. */
export interface ForegroundProgram {
  pid: number
  /** It is the one that the terminal was started with, or what that became by exec. */
  isOwnProgram: boolean
  /** As a person would call it: `vim`. */
  name: string
  /** Its words, as far as the system tells them. */
  words: string[]
}

/** Who parses the output of a program. */
export interface Reader {
  /** False again when it has caught up by itself. */
  readonly needsRestore: boolean
  /** Everything that came before this call has been parsed. */
  caughtUp(): Promise<void>
}

/** One living program. Every method may throw an AppError with PTY_ERROR, IO_ERROR or a TMUX_ code. */
export interface BackendTerminal {
  readonly pid: number
  /** Bytes to the program, in order and never interleaved with another call's; to an ended program: PROCESS_EXITED. */
  write(bytes: Uint8Array): Promise<void>
  resize(size: Size): Promise<void>
  /** Ends every process of the terminal's session (HUP+TERM, 2 s, KILL; `force`: KILL at once), then the terminal. */
  kill(options?: { force?: boolean }): Promise<void>
  restamp(stamp: Stamp): Promise<void>
  remember(state: { reservedOffset?: number; modes?: RememberedModes }): Promise<void>
  /** The device of the program's terminal, for termios questions. */
  ttyPath(): Promise<string>
  /** undefined when it cannot be told. */
  ttyModes(): Promise<TtyModes | undefined>
  foreground(): Promise<ForegroundProgram | undefined>
  /** Directory of the foreground process, as the system knows it; undefined when it cannot be told. */
  currentDirectory(): Promise<string | undefined>
  /**
   * The reader is too far behind to catch up in good time. A backend that can show the screen afresh calls `restored`,
   * and `output` continues exactly after it; one that cannot holds the program back until the reader has caught up.
   */
  resync(reader: Reader): Promise<void>
  /** Stop listening; the program lives on where the backend can keep it. */
  detach(): Promise<void>
}

/** Where programs run. One interface; tmux, pty and a fake implement it. */
export interface Backend {
  readonly kind: BackendKind
  /** Ready for work, or an AppError (TMUX_UNAVAILABLE, TMUX_UNRESPONSIVE) that says what to do. */
  start(): Promise<void>
  create(spec: ProgramSpec, listener: BackendListener): Promise<BackendTerminal>
  /** Every living terminal with this owner's stamp. Throws on doubt: no answer is never an empty list. */
  list(): Promise<LivingTerminal[]>
  /** At the last `list`: the tmux sessions of this owner that live although nobody can read whose they are. */
  unreadable?(): readonly string[]
  /** Takes up a living terminal: `restored` comes first, then every byte after it. */
  adopt(living: LivingTerminal, listener: BackendListener): Promise<BackendTerminal>
  /** The process that keeps the programs, if it is another than this one and is known. */
  keeper?(): ProcessIdentity | undefined
  /** Lets go of everything without ending any program that can live on. */
  stop(): Promise<void>
}
