import type { WorkspaceKey, WorkspaceSummary } from '../../../shared/terminal'
import { changeSidebar, useSidebar } from '../stores/sidebar'
import { folderName, workspaceId } from '../stores/workspaceId'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { Icon } from './Icon'
import { StateMark } from './StateMark'
import { WorkspaceRow } from './WorkspaceRow'

interface ProjectGroupProps {
  project: string
  sessions: WorkspaceSummary[]
  chosen: WorkspaceKey | undefined
}

const URGENCY = ['needs-you', 'failed', 'working'] as const
export const URGENT_MARKS = { 'needs-you': 'needsYou', failed: 'failed', working: 'working' } as const

/** One project: folded it shows only what is most urgent in any of its sessions. */
export function ProjectGroup({ project, sessions, chosen }: ProjectGroupProps) {
  const folded = useSidebar((state) => state.folded)
  const isFolded = folded.includes(project)
  const urgent = URGENCY.find((state) => sessions.some((session) => session.urgent === state))
  const toggle = () =>
    changeSidebar({ folded: isFolded ? folded.filter((other) => other !== project) : [...folded, project] })
  return (
    <li className="projectGroup">
      <button type="button" className="projectRow" aria-expanded={!isFolded} title={project} onClick={toggle}>
        <Icon name="chevron" />
        <span className="folder">{displayText(folderName(project))}</span>
        {isFolded && urgent && <StateMark mark={URGENT_MARKS[urgent]} />}
        {isFolded && urgent && <span className="hidden-text">{strings.state[URGENT_MARKS[urgent]]}</span>}
      </button>
      {!isFolded && (
        <ul>
          {sessions.map((workspace) => (
            <WorkspaceRow
              key={workspaceId(workspace)}
              workspace={workspace}
              chosen={chosen !== undefined && workspaceId(chosen) === workspaceId(workspace)}
            />
          ))}
        </ul>
      )}
    </li>
  )
}
