import { useCallback, useEffect, useState } from 'react'
import type { ConnectionSteps, HookClientState } from '../../../shared/agents'
import { useBridge } from '../hooks/useBridge'
import { showError } from '../stores/toasts'
import { strings } from '../strings'
import { ConnectionStepsView } from './ConnectionStepsView'
import { StateMark } from './StateMark'

const text = strings.connect.hooks

/** The agents of this machine that can show when they need the person: a choice of its own, and shown before it is done. */
export function HookClients() {
  const bridge = useBridge()
  const [clients, setClients] = useState<HookClientState[]>([])
  const load = useCallback(async () => {
    const listed = await bridge.listHookClients()
    if (listed.ok) setClients(listed.value)
    else showError(listed.error)
  }, [bridge])
  useEffect(() => void load(), [load])
  const found = clients.filter(({ isFound, isOn }) => isFound || isOn)
  if (found.length === 0) return null
  return (
    <section className="hookClients" aria-label={text.title}>
      <h3>{text.title}</h3>
      <p>{text.intro}</p>
      {found.map((client) => (
        <HookRow key={client.id} client={client} onChanged={() => void load()} />
      ))}
    </section>
  )
}

function HookRow({ client: { id, name, isOn, problem }, onChanged }: { client: HookClientState; onChanged(): void }) {
  const bridge = useBridge()
  const [steps, setSteps] = useState<ConnectionSteps>()
  const [said, setSaid] = useState('')
  const show = async () => {
    const planned = await bridge.planHooks(id, isOn)
    if (planned.ok) setSteps(planned.value)
    else showError(planned.error)
  }
  const run = async () => {
    const done = await (isOn ? bridge.removeHooks(id) : bridge.addHooks(id))
    setSteps(undefined)
    if (!done.ok) return showError(done.error)
    setSaid(done.value.message)
    onChanged()
  }
  return (
    <div className="client">
      <h4>
        {name}
        {isOn && (
          <span className="isConnected">
            <StateMark mark="done" />
            {text.isOn}
          </span>
        )}
      </h4>
      <button type="button" className="button" disabled={problem !== undefined} onClick={() => void show()}>
        {isOn ? text.remove : text.add}
        <span className="hidden-text"> {name}</span>
      </button>
      {problem !== undefined && <p className="problem">{problem}</p>}
      {steps && <ConnectionStepsView steps={steps} onRun={() => void run()} />}
      <p role="status">{said}</p>
    </div>
  )
}
