import { useEffect, useState } from 'react'
import type { AgentClientState, ConnectionSteps } from '../../../shared/agents'
import type { WireError } from '../../../shared/errors'
import { useBridge } from '../hooks/useBridge'
import { loadAgentClients, presentClients, useAgentClients } from '../stores/agentClients'
import { useConnectedAgents } from '../stores/connectedAgents'
import { closeOverlay, useOverlay } from '../stores/overlay'
import { strings } from '../strings'
import { copyText } from '../terminal/clipboard'
import { AgentList } from './ConnectedAgents'
import { ConnectionFailure, ConnectionStanding } from './ConnectionStanding'
import { ConnectionStepsView } from './ConnectionStepsView'
import { HookClients } from './HookClients'
import { Icon } from './Icon'
import { Modal } from './Modal'
import { OtherAgents } from './OtherAgents'

const text = strings.connect

/** The agents of this machine: what connecting each would do is shown, and done when the person says so. */
export function ConnectPage() {
  const bridge = useBridge()
  const clients = useAgentClients((state) => state.clients)
  useEffect(() => void loadAgentClients(bridge), [bridge])
  const found = clients && presentClients(clients)
  return (
    <Modal label={text.open} className="connect" onClose={closeOverlay}>
      <header>
        <h2>{text.open}</h2>
        <button type="button" className="iconButton" aria-label={text.close} title={text.close} onClick={closeOverlay}>
          <Icon name="close" />
        </button>
      </header>
      <p>{found?.length === 0 ? text.none : found ? text.intro : text.looking}</p>
      {found?.map((client) => (
        <ClientRow key={client.id} client={client} onChanged={() => void loadAgentClients(bridge)} />
      ))}
      <HookClients />
      <Asked />
      <OtherAgents />
    </Modal>
  )
}

function ClientRow({ client, onChanged }: { client: AgentClientState; onChanged(): void }) {
  const bridge = useBridge()
  const [steps, setSteps] = useState<ConnectionSteps>()
  const [said, setSaid] = useState('')
  const [failure, setFailure] = useState<WireError>()
  const { id, name, version, isConnected, problem } = client
  const isWanted = useOverlay((state) => state.client === id)
  const show = async () => {
    const planned = await bridge.planConnection(id, isConnected)
    if (planned.ok) setSteps(planned.value)
    setFailure(planned.ok ? undefined : planned.error)
  }
  const run = async () => {
    setFailure(undefined)
    setSaid(text.isTried)
    const done = await (isConnected ? bridge.disconnectAgent(id) : bridge.connectAgent(id))
    setSaid('')
    if (!done.ok) return setFailure(done.error)
    setSteps(undefined)
    setSaid([done.value.message, ...done.value.warnings].join(' '))
    onChanged()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once, by the button that led here
  useEffect(() => {
    if (isWanted && !isConnected && problem === undefined) void show()
  }, [isWanted])
  return (
    <section className="client" aria-label={name}>
      <h3>
        {name} <small>{version}</small>
        <ConnectionStanding client={client} />
      </h3>
      <button type="button" className="button" disabled={problem !== undefined} onClick={() => void show()}>
        {isConnected ? text.disconnect : text.connect}
      </button>
      {problem !== undefined && <p className="problem">{problem}</p>}
      {steps && <ConnectionStepsView steps={steps} onRun={() => void run()} />}
      {failure && <ConnectionFailure error={failure} />}
      <p role="status">{said}</p>
    </section>
  )
}

/** Turns from waiting to who asked with the first real request. */
function Asked() {
  const hasAsked = useConnectedAgents(({ agents = [] }) => agents.length > 0)
  return (
    <section className="asked">
      <h3>{hasAsked ? text.connected : text.waiting}</h3>
      <AgentList />
      <p>{text.tryIt}</p>
      <pre>{text.prompt}</pre>
      <button type="button" className="button" onClick={() => void copyText(text.prompt)}>
        {text.copy}
      </button>
    </section>
  )
}
