import type { TerminalActivity } from '../../../shared/activity'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'

/** What the agent in a terminal wants of the person, to be shown as text; undefined when it wants nothing, or a hidden prompt goes first. */
export function questionOf(activity: TerminalActivity | undefined): { agent: string; text: string } | undefined {
  if (!activity || activity.needsPerson || activity.agentState?.state !== 'needs-you') return undefined
  const { name, message } = activity.agentState
  const agent = displayText(name)
  return { agent, text: displayText(message ?? '') || strings.control.asks(agent) }
}
