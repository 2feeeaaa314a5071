import type { Caller } from '../../shared/access'
import type { Agent } from '../../shared/terminal'

/** Who types when a tool does: the agent that called it. */
export function actorOf({ clientName, key }: Caller): Agent {
  return { kind: 'agent', name: clientName, key }
}
