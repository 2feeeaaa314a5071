import type { AgentClientState } from '../../../shared/agents'
import type { WireError } from '../../../shared/errors'
import { titleOf } from '../agents/agentIdentity'
import { useConnectedAgents } from '../stores/connectedAgents'
import { strings } from '../strings'
import { StateMark } from './StateMark'

const text = strings.connect

/** Set up is what its file says; connected it is with the first thing it really asked for. */
export function ConnectionStanding({ client: { name, isConnected } }: { client: AgentClientState }) {
  const hasAsked = useConnectedAgents(({ agents = [] }) => agents.some((agent) => titleOf(agent.name) === name))
  if (!isConnected) return null
  return (
    <span className={hasAsked ? 'isConnected' : 'isSetUp'}>
      <StateMark mark={hasAsked ? 'done' : 'idle'} />
      {hasAsked ? text.isConnected : text.waitsForFirst}
    </span>
  )
}

/** Why it could not be done, where it was asked for; what can be done instead may be lines of a file. */
export function ConnectionFailure({ error: { message, hint = '' } }: { error: WireError }) {
  const [advice = '', ...lines] = hint.split('\n')
  return (
    <div className="failure" role="alert">
      <p className="problem">{message}</p>
      {advice !== '' && <p>{advice}</p>}
      {lines.length > 0 && <pre>{lines.join('\n')}</pre>}
    </div>
  )
}
