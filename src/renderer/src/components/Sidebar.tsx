import { useState } from 'react'
import type { WorkspaceKey, WorkspaceSummary } from '../../../shared/terminal'
import { workspaceId } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { Icon } from './Icon'
import { OpenFolderForm } from './OpenFolderForm'
import { WorkspaceRow } from './WorkspaceRow'

/** The workspaces there are, grouped as the host lists them, and the way to open another folder. */
export function Sidebar({ onChosen }: { onChosen(): void }) {
  const [adding, setAdding] = useState(false)
  const list = useWorkspaces((state) => state.list)
  const chosen = useWorkspaces((state) => state.chosen)
  const rows = withChosen(list ?? [], chosen)
  const empty = list !== undefined && rows.length === 0
  return (
    <nav className="sidebar" aria-label={strings.workspaces}>
      <header>
        <h2>{strings.workspaces}</h2>
        <button
          type="button"
          className="iconButton"
          aria-label={strings.openFolder}
          title={strings.openFolder}
          aria-expanded={adding}
          onClick={() => setAdding(!adding)}
        >
          <Icon name={adding ? 'close' : 'plus'} />
        </button>
      </header>
      {adding && (
        <OpenFolderForm
          onDone={() => {
            setAdding(false)
            onChosen()
          }}
        />
      )}
      <ul>
        {rows.map((workspace) => (
          <WorkspaceRow
            key={workspaceId(workspace)}
            workspace={workspace}
            chosen={chosen !== undefined && workspaceId(chosen) === workspaceId(workspace)}
            onChosen={onChosen}
          />
        ))}
      </ul>
      {empty && <p className="quiet">{strings.noWorkspaces}</p>}
    </nav>
  )
}

/** The workspace the person looks at is always in the list, also before its first terminal makes it known. */
function withChosen(list: WorkspaceSummary[], chosen: WorkspaceKey | undefined): WorkspaceSummary[] {
  if (!chosen || list.some((entry) => workspaceId(entry) === workspaceId(chosen))) return list
  return [...list, { ...chosen, terminals: 0, running: 0, available: true }]
}
