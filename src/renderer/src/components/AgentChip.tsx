import { useAgentIdentity } from '../stores/agents'

/** An agent's letter in its colour; its name is said beside it. */
export function AgentChip({ name }: { name: string }) {
  const { letter, hue } = useAgentIdentity(name)
  // Drawn, not written: what it stands in has a name that says it in full.
  return <span className={`agentChip hue${hue}`} aria-hidden="true" data-letter={letter} />
}
