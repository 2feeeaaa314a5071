import type { WorkspaceKey } from '../../../shared/terminal'
import { useSessionTerminals } from '../hooks/useSessionTerminals'
import { useTerminals } from '../stores/terminals'
import { workspaceId } from '../stores/workspaceId'
import { TerminalRow } from './TerminalRow'

/** The terminals of a session that is unfolded in the sidebar. */
export function SessionTerminals({ workspace, isChosen }: { workspace: WorkspaceKey; isChosen: boolean }) {
  const tabs = useSessionTerminals(workspace, isChosen)
  const active = useTerminals(({ byWorkspace }) => byWorkspace[workspaceId(workspace)]?.activeTabId)
  const { project, session } = workspace
  return (
    <ul>
      {tabs.map((tab) => (
        <TerminalRow
          key={tab.id}
          workspace={{ project, session }}
          tab={tab}
          isCurrent={isChosen && tab.id === active}
        />
      ))}
    </ul>
  )
}
