import { titleWithKeys } from '../actions/keyPlace'
import type { KeyboardState } from '../agents/keyboardState'
import type { ControlOfTerminal } from '../hooks/useControl'
import { useAgentIdentity } from '../stores/agents'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { AgentChip } from './AgentChip'
import { Icon } from './Icon'
import { StateMark } from './StateMark'

const text = strings.control

/** Who has the keyboard of this terminal, and the button that changes it. */
export function ControlLine({ keyboard, toggle }: ControlOfTerminal) {
  if (keyboard.kind === 'free') return null
  return (
    <span className={`controlLine ${keyboard.kind}`}>
      <Holder keyboard={keyboard} />
      {keyboard.kind === 'agent' && (
        <button type="button" title={titleWithKeys('takeControl', text.takeHint)} onClick={toggle}>
          {text.take}
        </button>
      )}
      {keyboard.kind === 'you' && (
        <button type="button" title={titleWithKeys('takeControl', text.giveBackHint)} onClick={toggle}>
          {text.giveBack}
        </button>
      )}
    </span>
  )
}

function Holder({ keyboard }: { keyboard: Exclude<KeyboardState, { kind: 'free' }> }) {
  if (keyboard.kind === 'agent') return <AgentTyping name={keyboard.agent.name} />
  if (keyboard.kind === 'you') return <YouHold waiting={keyboard.waiting?.name} />
  const { question } = keyboard
  if (question) {
    return (
      <span className="holder" title={question.text}>
        <StateMark mark="needsYou" />
        {text.asks(question.agent)}
      </span>
    )
  }
  return (
    <span className="holder" title={text.needsYouHint}>
      <Icon name="lock" />
      {text.needsYou}
    </span>
  )
}

function AgentTyping({ name }: { name: string }) {
  const { title } = useAgentIdentity(name)
  return (
    <span className="holder">
      <AgentChip name={name} />
      {text.typing(displayText(title))}
    </span>
  )
}

function YouHold({ waiting }: { waiting: string | undefined }) {
  const { title } = useAgentIdentity(waiting ?? '')
  return (
    <span className="holder">
      <span className="diamond" aria-hidden="true" />
      {waiting === undefined ? text.youHave : text.youWhile(displayText(title))}
    </span>
  )
}
