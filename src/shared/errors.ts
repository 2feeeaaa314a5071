/**
 * Every failure a caller can meet has one code here. Codes are API: they are never renamed.
 * `status` is the HTTP status, `retry` says whether the same call may succeed later unchanged,
 * `meaning` is the sentence the generated docs print.
 */
export const ERRORS = {
  INVALID_ARGUMENTS: { status: 400, retry: false, meaning: 'An argument is missing, unknown, or not of its form.' },
  NO_INPUT: { status: 400, retry: false, meaning: 'A send carried neither text nor key nor mouse.' },
  INVALID_KEY: { status: 400, retry: false, meaning: 'The key name is not known.' },
  INVALID_PATTERN: { status: 400, retry: false, meaning: 'The regular expression does not compile.' },
  OUTSIDE_PROJECT: { status: 400, retry: false, meaning: 'The path leads outside the project.' },
  PROGRAM_NOT_FOUND: { status: 400, retry: false, meaning: 'The program or shell does not exist or cannot be run.' },
  UNAUTHORIZED: { status: 401, retry: false, meaning: 'The token is missing, wrong, revoked, or may not do this.' },
  FORBIDDEN_ORIGIN: { status: 403, retry: false, meaning: 'The Host or Origin header is not this server.' },
  NOT_FOUND: { status: 404, retry: false, meaning: 'There is nothing at this path or under this name.' },
  SESSION_NOT_FOUND: { status: 404, retry: false, meaning: 'No terminal has this handle.' },
  SESSION_DESTROYED: { status: 410, retry: false, meaning: 'The terminal was closed.' },
  TERMINAL_BUSY: { status: 409, retry: true, meaning: 'A command is still running in the terminal.' },
  HUMAN_HAS_CONTROL: { status: 409, retry: true, meaning: 'A person is typing in the terminal.' },
  PROCESS_EXITED: { status: 409, retry: false, meaning: 'The program in the terminal has ended.' },
  PAYLOAD_TOO_LARGE: { status: 413, retry: false, meaning: 'The request body is over the limit.' },
  MAX_SESSIONS: { status: 429, retry: true, meaning: 'The limit of terminals is reached.' },
  INTERNAL: { status: 500, retry: false, meaning: 'A fault in Tandem itself; the log has the cause.' },
  PTY_ERROR: { status: 500, retry: true, meaning: 'A terminal could not be started or resized.' },
  IO_ERROR: { status: 500, retry: true, meaning: 'Reading from or writing to a terminal failed.' },
  SESSION_ERROR: { status: 500, retry: true, meaning: 'The terminal is lost, or its state is not known now.' },
  STORE_CORRUPT: { status: 500, retry: false, meaning: 'A store file could not be read and was kept aside.' },
  STORE_WRITE_FAILED: { status: 500, retry: true, meaning: 'The store could not be written; nothing was changed.' },
  HOST_UNAVAILABLE: { status: 503, retry: true, meaning: 'No host answers or can be started; nothing was done.' },
  OUTCOME_UNKNOWN: {
    status: 503,
    retry: true,
    meaning: 'The host went away during the call, which may have been done.'
  },
  TMUX_UNAVAILABLE: { status: 503, retry: true, meaning: 'tmux is missing, too old, or cannot be started.' },
  TMUX_UNRESPONSIVE: { status: 503, retry: true, meaning: 'tmux did not answer; the outcome is not known.' }
} as const

export type ErrorCode = keyof typeof ERRORS

/** The only error shape that crosses a process or a socket. */
export interface WireError {
  code: ErrorCode
  message: string
  hint?: string
}

/** Trouble that did not stop the call: carried beside the answer. */
export interface Warning {
  code: ErrorCode | 'WAIT_TIMEOUT'
  message: string
}

export type Result<T> = { ok: true; value: T } | { ok: false; error: WireError }

const SHORT_OF_FILES_HINT = 'Close some terminals or viewers, or start Tandem with a higher limit (ulimit -n).'

function isShortOfFiles(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && (thrown.code === 'EMFILE' || thrown.code === 'ENFILE')
}

/** A failure with a code. Message: what happened, with the value in quotes. Hint: what to do next. */
export class AppError extends Error {
  override readonly name = 'AppError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly hint?: string,
    options?: ErrorOptions
  ) {
    super(message, options)
  }

  /** Anything thrown becomes a coded error; unknown ones are INTERNAL. */
  static from(thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    // It can happen wherever a file is opened, and is no fault of the place where it does.
    if (isShortOfFiles(thrown)) return new AppError('IO_ERROR', message, SHORT_OF_FILES_HINT, { cause: thrown })
    return new AppError('INTERNAL', message, undefined, { cause: thrown })
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  toWire(): WireError {
    return { code: this.code, message: this.message, ...(this.hint ? { hint: this.hint } : {}) }
  }
}
