import type { Actor, Agent, TerminalId } from './terminal'

/**
 * How an agent that runs in a terminal stands, as its hooks tell. `idle`: it waits for its first task, or everything it
 * had to say is old.
 */
export const AGENT_STATES = ['working', 'needs-you', 'done', 'idle'] as const

/** An agent that runs in a terminal. */
export interface AgentState {
  /** What people call it. */
  name: string
  state: (typeof AGENT_STATES)[number]
  /** Its question, or what it said last; one line of harmless text. */
  message: string | null
  since: string
}

/** What an agent tells about itself. `gone`: it is over. */
export interface AgentReport {
  agent: string
  state: AgentState['state'] | 'gone'
  message?: string | undefined
}

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
  /** The agent that runs in it and tells how it stands; null when none does. */
  agentState: AgentState | null
}

/** Whether a terminal waits for the person: by a hidden prompt, or by the question of an agent that runs in it. */
export function needsYou({ needsPerson, agentState }: Pick<TerminalActivity, 'needsPerson' | 'agentState'>): boolean {
  return needsPerson || agentState?.state === 'needs-you'
}
