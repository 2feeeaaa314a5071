import type { MouseEvent } from 'react'
import type { WorkspaceSummary } from '../../../shared/terminal'
import { actionItems } from '../actions/actionItems'
import { openMenu } from '../stores/menu'
import { changeSidebar, isUnfolded, toggleSession, useSidebar } from '../stores/sidebar'
import { useTabDrop } from '../stores/tabDrop'
import { folderName, workspaceId } from '../stores/workspaceId'
import { chooseWorkspace } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { Icon } from './Icon'
import { URGENT_MARKS } from './ProjectGroup'
import { SessionTerminals } from './SessionTerminals'
import { StateMark } from './StateMark'

interface WorkspaceRowProps {
  workspace: WorkspaceSummary
  chosen: boolean
}

/** One session of a project with its terminals; folded it says how many there are, and what is most urgent in it. */
export function WorkspaceRow({ workspace, chosen }: WorkspaceRowProps) {
  const { project, session, terminals, available, urgent, offered = 0 } = workspace
  const isOpen = useSidebar((state) => isUnfolded(state, workspaceId(workspace), chosen)) && terminals > 0
  const isDropTarget = useTabDrop(({ over }) => over === workspaceId(workspace))
  const counts = available ? countsOf(workspace) : strings.workspaceUnavailable
  const choose = () => {
    chooseWorkspace(workspace)
    changeSidebar({ isDrawerOpen: false })
  }
  const menu = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    chooseWorkspace(workspace)
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    openMenuSoon({ x: event.clientX || left, y: event.clientY || bottom })
  }
  const name = strings.workspaceName(displayText(folderName(project)), displayText(session))
  return (
    <li
      className={isDropTarget ? 'sessionItem dropTarget' : 'sessionItem'}
      data-project={project}
      data-session={session}
    >
      {terminals > 0 && <FoldButton workspace={workspace} isOpen={isOpen} />}
      <button
        type="button"
        className={`workspaceRow${available ? '' : ' unavailable'}`}
        aria-current={chosen ? 'true' : undefined}
        aria-label={`${name}, ${[counts, ...(urgent ? [strings.state[URGENT_MARKS[urgent]]] : [])].join(', ')}`}
        title={`${strings.workspaceTooltip(project, session)}\n${counts}`}
        onClick={choose}
        onContextMenu={menu}
      >
        <span className="session">{displayText(session)}</span>
        {!available && <StateMark mark="unavailable" />}
        {urgent && !isOpen && <StateMark mark={URGENT_MARKS[urgent]} />}
        {/* Drawn, not written: the name of the button says it in full. */}
        <span
          className="count"
          data-count={terminals > 0 ? (isOpen ? '' : terminals) : offered > 0 ? strings.endedCount(offered) : ''}
        />
      </button>
      {chosen && (
        <button
          type="button"
          className="iconButton sessionMenu"
          aria-label={strings.sidebar.sessionMenu}
          aria-haspopup="menu"
          onClick={menu}
        >
          <Icon name="more" />
        </button>
      )}
      {isOpen && <SessionTerminals workspace={workspace} isChosen={chosen} />}
    </li>
  )
}

function FoldButton({ workspace, isOpen }: { workspace: WorkspaceSummary; isOpen: boolean }) {
  return (
    <button
      type="button"
      className="foldButton"
      aria-expanded={isOpen}
      aria-label={isOpen ? strings.sidebar.hideTerminals : strings.sidebar.showTerminals}
      onClick={() => toggleSession(workspaceId(workspace), isOpen)}
    >
      <Icon name="chevron" />
    </button>
  )
}

/** When the session it is about has become the chosen one, which is what the actions mean. */
function openMenuSoon({ x, y }: { x: number; y: number }): void {
  const label = strings.sidebar.sessionMenu
  requestAnimationFrame(() =>
    openMenu({ label, x, y, items: actionItems([['newTerminal', 'newSession'], ['removeSession']]) })
  )
}

function countsOf({ running, terminals, offered = 0 }: WorkspaceSummary): string {
  const counts = strings.workspaceCounts(running, terminals)
  return offered > 0 ? strings.workspaceOffers(counts, offered) : counts
}
