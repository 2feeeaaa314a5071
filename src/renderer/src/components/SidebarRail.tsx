import type { WorkspaceKey, WorkspaceSummary } from '../../../shared/terminal'
import { runAction } from '../actions/registry'
import { useAgentIdentity } from '../stores/agents'
import { useConnectedAgents } from '../stores/connectedAgents'
import { useTabDrop } from '../stores/tabDrop'
import { folderName, workspaceId } from '../stores/workspaceId'
import { chooseWorkspace } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { AgentChip } from './AgentChip'
import { Icon } from './Icon'
import { URGENT_MARKS } from './ProjectGroup'
import { StateMark } from './StateMark'

/** The sidebar at its narrowest: a sign for each session with what is most urgent in it, and the agents. */
export function SidebarRail({ rows, chosen }: { rows: WorkspaceSummary[]; chosen: WorkspaceKey | undefined }) {
  const agents = useConnectedAgents((state) => state.agents) ?? []
  const names = [...new Set(agents.map(({ name }) => name))]
  return (
    <>
      <button
        type="button"
        className="railButton"
        aria-label={strings.openFolder}
        title={strings.openFolder}
        onClick={() => runAction('openFolder')}
      >
        <Icon name="plus" />
      </button>
      <ul>
        {rows.map((row) => (
          <RailSession
            key={workspaceId(row)}
            workspace={row}
            chosen={chosen !== undefined && workspaceId(chosen) === workspaceId(row)}
          />
        ))}
      </ul>
      <ul className="railAgents" aria-label={strings.connect.connected}>
        {names.map((name) => (
          <RailAgent key={name} name={name} />
        ))}
      </ul>
      <button
        type="button"
        className="railButton"
        aria-label={strings.connect.open}
        title={strings.connect.open}
        onClick={() => runAction('connectAgent')}
      >
        <Icon name="agent" />
      </button>
    </>
  )
}

function RailSession({ workspace, chosen }: { workspace: WorkspaceSummary; chosen: boolean }) {
  const { project, session, urgent, available, running, terminals } = workspace
  const mark = available ? (urgent ? URGENT_MARKS[urgent] : 'idle') : 'unavailable'
  const folder = displayText(folderName(project))
  const label = strings.workspaceName(folder, displayText(session))
  const said = `${label}, ${strings.workspaceCounts(running, terminals)}, ${strings.state[mark]}`
  const isDropTarget = useTabDrop(({ over }) => over === workspaceId(workspace))
  return (
    <li className={isDropTarget ? 'dropTarget' : undefined} data-project={project} data-session={session}>
      <button
        type="button"
        className="railButton"
        aria-current={chosen ? 'true' : undefined}
        aria-label={said}
        title={said}
        onClick={() => chooseWorkspace(workspace)}
      >
        {/* Drawn, not written: the name of the button says it in full. */}
        <span className="initials" aria-hidden="true" data-initials={initials(folder, displayText(session))} />
        <StateMark mark={mark} />
      </button>
    </li>
  )
}

function RailAgent({ name }: { name: string }) {
  const { title } = useAgentIdentity(name)
  return (
    <li title={displayText(title)}>
      <AgentChip name={name} />
      <span className="hidden-text">{displayText(title)}</span>
    </li>
  )
}

/** The first letters of folder and session. */
function initials(folder: string, session: string): string {
  return [folder, session].map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? '').join('')
}
