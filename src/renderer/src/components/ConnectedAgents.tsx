import type { ConnectedAgent } from '../../../shared/agents'
import { useAgentIdentity } from '../stores/agents'
import { useConnectedAgents } from '../stores/connectedAgents'
import { showOverlay } from '../stores/overlay'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { AgentChip } from './AgentChip'
import { Icon } from './Icon'
import { StateMark } from './StateMark'

const text = strings.connect

/** At the foot of the sidebar: the agents that have asked for something, and the way to connect more. */
export function ConnectedAgents() {
  const hasAgents = useConnectedAgents(({ agents = [] }) => agents.length > 0)
  return (
    <section className="connectedAgents" aria-label={text.connected}>
      {hasAgents && <h2>{text.heading}</h2>}
      <AgentList />
      <button type="button" className="projectRow" onClick={() => showOverlay('connect')}>
        <Icon name="plus" />
        {text.open}
      </button>
    </section>
  )
}

/** Every agent that made a request, with whether it is at it now. */
export function AgentList() {
  const agents = useConnectedAgents((state) => state.agents) ?? []
  if (agents.length === 0) return null
  return (
    <ul>
      {agents.map((agent) => (
        <AgentRow key={`${agent.token} ${agent.name}`} agent={agent} />
      ))}
    </ul>
  )
}

function AgentRow({ agent: { name, isActive } }: { agent: ConnectedAgent }) {
  const { title } = useAgentIdentity(name)
  return (
    <li className="agentRow">
      <AgentChip name={name} />
      <span>{displayText(title)}</span>
      <StateMark mark={isActive ? 'news' : 'idle'} />
      <span className="hidden-text">{isActive ? text.active : text.quiet}</span>
    </li>
  )
}
