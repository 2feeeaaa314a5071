import type { WorkspaceKey, WorkspaceSummary } from '../../../shared/terminal'
import { titleWithKeys } from '../actions/keyPlace'
import { runAction, useActionHandlers } from '../actions/registry'
import { useMedia } from '../hooks/useMedia'
import { showOverlay } from '../stores/overlay'
import { changeSidebar, NARROW, useSidebar } from '../stores/sidebar'
import { workspaceId } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { ConnectedAgents } from './ConnectedAgents'
import { Icon } from './Icon'
import { OpenFolderForm } from './OpenFolderForm'
import { ProjectGroup } from './ProjectGroup'
import { SidebarEdge } from './SidebarEdge'
import { SidebarRail } from './SidebarRail'

/** Projects, their sessions and terminals, each with what is most urgent in it; or only signs of them, as a rail. */
export function Sidebar() {
  const isNarrow = useMedia(NARROW)
  const isRail = useSidebar((state) => state.isRail) && !isNarrow
  const list = useWorkspaces((state) => state.list)
  const chosen = useWorkspaces((state) => state.chosen)
  const rows = withChosen(list ?? [], chosen)
  useActionHandlers({ connectAgent: () => showOverlay('connect') })
  return (
    <nav className={isRail ? 'sidebar rail' : 'sidebar'} aria-label={strings.workspaces}>
      {isRail ? <SidebarRail rows={rows} chosen={chosen} /> : <Projects rows={rows} chosen={chosen} />}
      {list !== undefined && rows.length === 0 && <p className="quiet">{strings.noWorkspaces}</p>}
      {!isRail && <ConnectedAgents />}
      <SidebarEdge />
    </nav>
  )
}

function Projects({ rows, chosen }: { rows: WorkspaceSummary[]; chosen: WorkspaceKey | undefined }) {
  const form = useSidebar((state) => state.form)
  const projects = [...new Set(rows.map(({ project }) => project))]
  const close = () => changeSidebar({ form: undefined, isDrawerOpen: false })
  return (
    <>
      <header>
        <h2>{strings.sidebar.projects}</h2>
        <button
          type="button"
          className="iconButton"
          aria-label={strings.openFolder}
          title={titleWithKeys('openFolder')}
          aria-expanded={window.desktop ? undefined : form === 'folder'}
          onClick={() => (form === 'folder' ? changeSidebar({ form: undefined }) : runAction('openFolder'))}
        >
          <Icon name="plus" />
        </button>
      </header>
      {form === 'folder' && <OpenFolderForm onDone={close} />}
      {form === 'session' && chosen && <OpenFolderForm key={chosen.project} project={chosen.project} onDone={close} />}
      <ul>
        {projects.map((project) => (
          <ProjectGroup
            key={project}
            project={project}
            sessions={rows.filter((row) => row.project === project)}
            chosen={chosen}
          />
        ))}
      </ul>
    </>
  )
}

/** The workspace the person looks at is always in the list, also before its first terminal makes it known. */
function withChosen(list: WorkspaceSummary[], chosen: WorkspaceKey | undefined): WorkspaceSummary[] {
  if (!chosen || list.some((entry) => workspaceId(entry) === workspaceId(chosen))) return list
  return [...list, { ...chosen, terminals: 0, running: 0, available: true }]
}
