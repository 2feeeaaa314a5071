import type { ErrorCode } from '../../shared/errors'

/** What the activity list says of deeds that have an aim, and of those that were not done. */
export const activityReasons = {
  /** Deeds that say what became of it. */
  actionsTo: {
    rename: (name: string) => `renamed the terminal to “${name}”`,
    move: (session: string) => `moved the terminal to session ${session}`,
    connect: (agent: string) => `connected ${agent}`,
    disconnect: (agent: string) => `disconnected ${agent}`
  },
  /** What was wanted, after “tried to”. */
  tries: {
    create: 'open a terminal',
    rename: 'rename the terminal',
    reorder: 'order the tabs',
    kill: 'end the terminal',
    close: 'close the terminal',
    undoClose: 'take the closing back',
    move: 'move the terminal',
    remove: 'remove the session',
    restart: 'start the terminal again',
    forget: 'forget ended terminals',
    take: 'take control',
    giveBack: 'give control back',
    connect: 'connect an agent',
    disconnect: 'disconnect an agent',
    addHooks: 'add an agent’s hooks',
    removeHooks: 'remove an agent’s hooks',
    open_new_terminal: 'open a terminal',
    execute_shell: 'run a command',
    execute_python: 'run Python',
    execute_typescript: 'run TypeScript',
    close_terminal: 'close the terminal',
    terminal__create_session: 'open a terminal',
    terminal__destroy_session: 'end the terminal',
    terminal__send: 'type',
    terminal__resize: 'change the size',
    create_tracked_terminal: 'open a terminal',
    send_to_terminal: 'type'
  },
  reasons: {
    INVALID_ARGUMENTS: 'the request was not understood',
    NO_INPUT: 'nothing to type was given',
    INVALID_KEY: 'there is no such key',
    INVALID_PATTERN: 'not a regular expression',
    OUTSIDE_PROJECT: 'outside of the project',
    PROGRAM_NOT_FOUND: 'no such program',
    UNAUTHORIZED: 'not allowed',
    FORBIDDEN_ORIGIN: 'it came from elsewhere',
    NOT_FOUND: 'not there',
    SESSION_NOT_FOUND: 'no such terminal',
    SESSION_DESTROYED: 'the terminal was closed',
    TERMINAL_BUSY: 'a command was running',
    HUMAN_HAS_CONTROL: 'you had the keyboard',
    PROCESS_EXITED: 'its program has ended',
    PAYLOAD_TOO_LARGE: 'too much at once',
    MAX_SESSIONS: 'no more terminals are allowed',
    INTERNAL: 'a fault in Tandem',
    PTY_ERROR: 'it could not be started',
    IO_ERROR: 'it could not be read or written',
    SESSION_ERROR: 'the terminal is lost',
    STORE_CORRUPT: 'what was saved cannot be read',
    STORE_WRITE_FAILED: 'it could not be saved',
    HOST_UNAVAILABLE: 'Tandem did not answer',
    OUTCOME_UNKNOWN: 'nobody knows how it went',
    TMUX_UNAVAILABLE: 'there is no tmux',
    TMUX_UNRESPONSIVE: 'tmux did not answer'
  } satisfies Record<ErrorCode, string>
} as const
