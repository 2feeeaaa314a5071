import type { WorkspaceKey, WorkspaceSummary } from '../../../shared/terminal'
import { changeSidebar, useSidebar } from '../stores/sidebar'
import { workspaceId } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { ConnectedAgents } from './ConnectedAgents'
import { Icon } from './Icon'
import { OpenFolderForm } from './OpenFolderForm'
import { ProjectGroup } from './ProjectGroup'
import { SidebarEdge } from './SidebarEdge'

/** Projects and their sessions, each with what is most urgent in it, and the way to open another folder. */
export function Sidebar() {
  const form = useSidebar((state) => state.form)
  const list = useWorkspaces((state) => state.list)
  const chosen = useWorkspaces((state) => state.chosen)
  const rows = withChosen(list ?? [], chosen)
  const projects = [...new Set(rows.map(({ project }) => project))]
  const toggle = () => changeSidebar({ form: form === 'folder' ? undefined : 'folder' })
  const close = () => changeSidebar({ form: undefined, isDrawerOpen: false })
  return (
    <nav className="sidebar" aria-label={strings.workspaces}>
      <header>
        <h2>{strings.sidebar.projects}</h2>
        <button
          type="button"
          className="iconButton"
          aria-label={strings.openFolder}
          title={strings.openFolder}
          aria-expanded={form === 'folder'}
          onClick={toggle}
        >
          <Icon name={form === 'folder' ? 'close' : 'plus'} />
        </button>
      </header>
      {form === 'folder' && <OpenFolderForm onDone={close} />}
      {form === 'session' && <OpenFolderForm project={chosen?.project} onDone={close} />}
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
      {list !== undefined && rows.length === 0 && <p className="quiet">{strings.noWorkspaces}</p>}
      <ConnectedAgents />
      <SidebarEdge />
    </nav>
  )
}

/** The workspace the person looks at is always in the list, also before its first terminal makes it known. */
function withChosen(list: WorkspaceSummary[], chosen: WorkspaceKey | undefined): WorkspaceSummary[] {
  if (!chosen || list.some((entry) => workspaceId(entry) === workspaceId(chosen))) return list
  return [...list, { ...chosen, terminals: 0, running: 0, available: true }]
}
