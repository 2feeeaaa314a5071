import { useEffect } from 'react'
import type { AgentClientState } from '../../../shared/agents'
import { useBridge } from '../hooks/useBridge'
import { loadAgentClients, presentClients, useAgentClients } from '../stores/agentClients'
import { useConnectedAgents } from '../stores/connectedAgents'
import { useConnection } from '../stores/connection'
import { showConnecting, showOverlay } from '../stores/overlay'
import { dismissCard, usePanel } from '../stores/panel'
import { strings } from '../strings'
import { Icon } from './Icon'

const text = strings.connect

/** While no agent has come yet: those of this machine, each one button away. */
export function ConnectCard() {
  const hasAgents = useConnectedAgents(({ agents }) => agents === undefined || agents.length > 0)
  const isDismissed = usePanel((panel) => panel.isCardDismissed)
  return hasAgents || isDismissed ? null : <Card />
}

function Card() {
  const bridge = useBridge()
  const connected = useConnection(({ state }) => state === 'connected')
  const clients = useAgentClients((state) => state.clients)
  useEffect(() => {
    if (connected) void loadAgentClients(bridge)
  }, [bridge, connected])
  const found = presentClients(clients ?? [])
  return (
    <section className="connectCard" aria-label={text.open}>
      <h3>{text.open}</h3>
      <button
        type="button"
        className="iconButton dismiss"
        aria-label={text.dismiss}
        title={text.dismiss}
        onClick={dismissCard}
      >
        <Icon name="close" />
      </button>
      <p>{text.cardText}</p>
      {found.length > 0 && (
        <ul>
          {found.map((client) => (
            <Found key={client.id} client={client} />
          ))}
        </ul>
      )}
      {clients && found.length === 0 && (
        <button type="button" className="button small" onClick={() => showOverlay('connect')}>
          {text.how}
        </button>
      )}
    </section>
  )
}

function Found({ client: { id, name, version, isConnected } }: { client: AgentClientState }) {
  return (
    <li>
      <span className="client">
        {name} <small>{isConnected ? text.waitsForFirst : text.found(version)}</small>
      </span>
      {!isConnected && (
        <button type="button" className="button small" onClick={() => showConnecting(id)}>
          {text.connect}
          <span className="hidden-text"> {name}</span>
        </button>
      )}
    </li>
  )
}
