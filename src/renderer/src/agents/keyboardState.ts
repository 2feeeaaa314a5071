import type { TerminalActivity } from '../../../shared/activity'
import type { Agent } from '../../../shared/terminal'
import { questionOf } from './agentQuestion'

/** Who has a terminal's keyboard, as its header says it. */
export type KeyboardState =
  /** Nobody, or a person where no agent ever was: nothing to say. */
  | { kind: 'free' }
  | { kind: 'agent'; agent: Agent }
  | { kind: 'you'; waiting: Agent | null }
  /** A prompt that does not show what is typed, or the question of the agent that runs here. */
  | { kind: 'needsYou'; question?: { agent: string; text: string } }

const FREE: KeyboardState = { kind: 'free' }

export function keyboardOf(activity: TerminalActivity | undefined): KeyboardState {
  if (!activity) return FREE
  const { needsPerson, holder, isTaken, agent } = activity
  if (needsPerson) return { kind: 'needsYou' }
  if (holder?.kind === 'agent') return { kind: 'agent', agent: holder }
  const question = questionOf(activity)
  // What the person took has a button to give it back, which must stay.
  if (question && !isTaken) return { kind: 'needsYou', question }
  return holder && (isTaken || agent) ? { kind: 'you', waiting: agent } : FREE
}

/** What the header's button and the key do next. */
export function nextStep({ kind }: KeyboardState): 'take' | 'giveBack' {
  return kind === 'you' ? 'giveBack' : 'take'
}
