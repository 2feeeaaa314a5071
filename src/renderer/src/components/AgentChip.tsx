import { useAgentIdentity } from '../stores/agents'

/** An agent's letter in its colour; its name is said beside it. */
export function AgentChip({ name }: { name: string }) {
  const { letter, hue } = useAgentIdentity(name)
  return (
    <span className={`agentChip hue${hue}`} aria-hidden="true">
      {letter}
    </span>
  )
}
