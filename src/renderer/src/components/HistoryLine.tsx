import type { HistoryEntry } from '../../../shared/history'
import { goToType } from '../actions/goToTerminal'
import { actionText, clock, type EndMark, endOf, refusalText } from '../agents/historyText'
import { useAgentIdentity } from '../stores/agents'
import { wantCommand } from '../stores/wantedCommand'
import { workspaceId } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { AgentChip } from './AgentChip'
import { StateMark } from './StateMark'

const text = strings.activity

/** One thing that was done; a click goes to the terminal it was done in, and to the line of a command. */
export function HistoryLine({ entry }: { entry: HistoryEntry }) {
  const { terminal, workspace } = entry
  const isThere = useWorkspaces(({ list }) =>
    Boolean(workspace && list?.some((known) => workspaceId(known) === workspaceId(workspace)))
  )
  if (!terminal || !workspace || !isThere) {
    return (
      <li>
        <div className="historyLine">
          <Told entry={entry} />
        </div>
      </li>
    )
  }
  return (
    <li>
      <button
        type="button"
        className="historyLine"
        title={text.jump(displayText(terminal.name))}
        onClick={() => {
          if (entry.deed.kind === 'command') wantCommand({ terminal: terminal.id, command: entry.id })
          goToType(workspace, terminal.id)
        }}
      >
        <Told entry={entry} />
      </button>
    </li>
  )
}

function Told({ entry }: { entry: HistoryEntry }) {
  const { time, actor, terminal, deed } = entry
  const name = terminal === null ? '' : displayText(terminal.name)
  return (
    <>
      <span className="who">
        <time dateTime={time}>{clock(time)}</time>
        {actor?.kind === 'agent' ? <AgentName name={actor.name} /> : <span>{actor ? text.you : text.somebody}</span>}
        <span className="where">{name}</span>
      </span>
      {deed.kind === 'command' ? (
        <>
          <code className="what">{displayText(deed.command) || text.unknownCommand}</code>
          <End {...endOf(deed)} />
        </>
      ) : (
        <>
          <span className="what">{actionText(deed)}</span>
          {deed.outcome !== 'OK' && <End mark="failed" words={refusalText(deed) ?? ''} />}
        </>
      )}
    </>
  )
}

function AgentName({ name }: { name: string }) {
  const { title } = useAgentIdentity(name)
  return (
    <span className="agentName">
      <AgentChip name={name} />
      {displayText(title)}
    </span>
  )
}

function End({ mark, words }: { mark: EndMark; words: string }) {
  return (
    <span className={`end ${mark}`}>
      <StateMark mark={mark} />
      {words}
    </span>
  )
}
