import { useEffect } from 'react'
import type { WorkspaceKey } from '../../../shared/terminal'
import { folderName } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { Icon } from './Icon'
import { OpenFolderForm } from './OpenFolderForm'

interface EmptyWorkspaceProps {
  workspace: WorkspaceKey
  onAdd(): Promise<void>
  onShown(): void
}

/** A workspace without terminals, and so the first thing a new person sees: one clear button, and the other way. */
export function EmptyWorkspace({ workspace, onAdd, onShown }: EmptyWorkspaceProps) {
  useEffect(onShown, [onShown])
  const first = useWorkspaces(({ list }) => list?.length === 0)
  const { project, session } = workspace
  return (
    <section className="emptyWorkspace">
      <div className="card">
        <h2>{first ? strings.empty.firstTitle : strings.empty.title(displayText(session))}</h2>
        <p>{first ? strings.empty.firstText : strings.empty.text}</p>
        <button type="button" className="button primary" onClick={() => void onAdd()}>
          <Icon name="plus" />
          {strings.newTerminal}
        </button>
        <p className="where" title={project}>
          {strings.empty.inFolder(strings.workspaceName(displayText(folderName(project)), displayText(session)))}
        </p>
        <hr />
        <h3>{strings.empty.elsewhere}</h3>
        <OpenFolderForm />
      </div>
    </section>
  )
}
