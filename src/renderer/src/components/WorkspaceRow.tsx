import type { WorkspaceSummary } from '../../../shared/terminal'
import { folderName } from '../stores/workspaceId'
import { chooseWorkspace } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'

interface WorkspaceRowProps {
  workspace: WorkspaceSummary
  chosen: boolean
  onChosen(): void
}

/** One workspace: folder and session, how many terminals it has, and whether any runs. */
export function WorkspaceRow({ workspace, chosen, onChosen }: WorkspaceRowProps) {
  const { project, session, running, terminals, available, offered = 0 } = workspace
  const counts = available ? countsOf(workspace) : strings.workspaceUnavailable
  const choose = () => {
    chooseWorkspace(workspace)
    onChosen()
  }
  return (
    <li>
      <button
        type="button"
        className={`workspaceRow${available ? '' : ' unavailable'}`}
        aria-current={chosen ? 'true' : undefined}
        title={`${strings.workspaceTooltip(project, session)}\n${counts}`}
        onClick={choose}
      >
        <span className={running > 0 ? 'dot running' : 'dot'} aria-hidden="true" />
        <span className="names">
          <span className="folder">{displayText(folderName(project))}</span>
          <span className="session">{displayText(session)}</span>
        </span>
        <span className="count" aria-hidden="true">
          {terminals > 0 ? terminals : offered > 0 && strings.endedCount(offered)}
        </span>
        <span className="hidden-text">{counts}</span>
      </button>
    </li>
  )
}

function countsOf({ running, terminals, offered = 0 }: WorkspaceSummary): string {
  const counts = strings.workspaceCounts(running, terminals)
  return offered > 0 ? strings.workspaceOffers(counts, offered) : counts
}
