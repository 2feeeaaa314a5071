import type { Actor, Agent, TerminalId } from './terminal'

/** What goes on in a terminal, for the marks that windows show. */
export interface TerminalActivity {
  id: TerminalId
  /** A command runs in its shell. */
  isWorking: boolean
  /** A prompt that does not show what is typed waits for the person. */
  needsPerson: boolean
  /** How the last command ended; null when none has, or it is not known. */
  lastExitCode: number | null
  /** How long the last command took; null when none has ended, or it is not known. */
  lastDurationMs: number | null
  /** Where its shell says it is; null when it does not say. */
  cwd: string | null
  /** When its program began and ended; null when that is not known, or it has not ended. */
  startedAt: string | null
  endedAt: string | null
  /** How much it has printed so far; more than at the last look means something new. */
  printed: number
  /** How often its bell has rung. */
  bells: number
  /** Who has the keyboard now. */
  holder: Actor | null
  /** Held by Take until it is given back. */
  isTaken: boolean
  /** The agent that typed here last: it may want to go on. */
  agent: Agent | null
  /** The agents that read here lately, in the order in which they came. */
  watchers: Agent[]
}
