import type { WorkspaceKey } from '../../../shared/terminal'
import { closeOverlay } from '../stores/overlay'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { Chooser } from './Chooser'

interface SessionChooserProps {
  workspace: WorkspaceKey
  onChosen(session: string): void
}

/** The other sessions of the project, to move a terminal to. */
export function SessionChooser({ workspace, onChosen }: SessionChooserProps) {
  const list = useWorkspaces((state) => state.list) ?? []
  const others = list.filter(({ project, session }) => project === workspace.project && session !== workspace.session)
  const choices = others.map(({ session }) => ({
    id: session,
    title: displayText(session),
    choose: () => onChosen(session)
  }))
  return <Chooser {...strings.sessionChooser} choices={choices} onClose={closeOverlay} />
}
