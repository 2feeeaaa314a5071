import { useRef } from 'react'
import { goToType } from '../actions/goToTerminal'
import { questionOf } from '../agents/agentQuestion'
import { useRoomBelow } from '../hooks/useRoomBelow'
import { useActivity } from '../stores/activity'
import { useWaiting, type Waiting } from '../stores/waiting'
import { folderName } from '../stores/workspaceId'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { StateMark } from './StateMark'

const text = strings.control

/** Everything that waits for the person; a click goes there. */
export function WaitingList() {
  const terminals = useWaiting((state) => state.terminals)
  const list = useRef<HTMLElement>(null)
  useRoomBelow(list, terminals.length > 0)
  if (terminals.length === 0) return null
  return (
    <section className="waitingList" aria-label={text.needsYou} ref={list}>
      <ul>
        {terminals.map((terminal) => (
          <WaitingRow key={terminal.id} terminal={terminal} />
        ))}
      </ul>
    </section>
  )
}

function WaitingRow({ terminal: { workspace, id, name } }: { terminal: Waiting }) {
  const { project, session } = workspace
  const activity = useActivity(({ byId }) => byId[id])
  const question = questionOf(activity)
  return (
    <li>
      <button type="button" onClick={() => goToType(workspace, id)}>
        <StateMark mark="needsYou" />
        <span>
          <strong>{question ? text.asksIn(question.agent, displayText(name)) : text.waits(displayText(name))}</strong>
          <small className={question && 'askedText'}>{question?.text ?? text.waitsWhy}</small>
          <small className="where">
            {strings.workspaceName(displayText(folderName(project)), displayText(session))}
          </small>
        </span>
      </button>
    </li>
  )
}
