import { useEffect } from 'react'
import type { ActionId } from '../../../shared/actions'
import type { WorkspaceKey } from '../../../shared/terminal'
import { shortcutText } from '../actions/keyPlace'
import { runAction } from '../actions/registry'
import { folderName } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'

const text = strings.empty

interface EmptyWorkspaceProps {
  workspace: WorkspaceKey
  onAdd(): Promise<void>
  onShown(): void
}

/** A workspace without terminals, and so the first thing a new person sees: what can be done, and by which keys. */
export function EmptyWorkspace({ workspace, onAdd, onShown }: EmptyWorkspaceProps) {
  useEffect(onShown, [onShown])
  const first = useWorkspaces(({ list }) => list?.length === 0)
  const { project, session } = workspace
  return (
    <section className="emptyWorkspace">
      <div className="card">
        <h2>{first ? text.firstTitle : text.title(displayText(session))}</h2>
        <p title={project}>{first ? text.firstText : text.text(displayText(folderName(project)))}</p>
        <Choice action="newTerminal" title={strings.newTerminal} onChoose={() => void onAdd()} isFirst />
        <Choice action="connectAgent" title={text.connectAgent} onChoose={() => runAction('connectAgent')} />
        <Choice action="openFolder" title={text.openFolder} onChoose={() => runAction('openFolder')} />
      </div>
    </section>
  )
}

function Choice(props: { action: ActionId; title: string; onChoose(): void; isFirst?: boolean }) {
  const { action, title, onChoose, isFirst = false } = props
  const keys = shortcutText(action)
  return (
    <button type="button" className={isFirst ? 'button primary choice' : 'button choice'} onClick={onChoose}>
      {title}
      {keys !== '' && <kbd>{keys}</kbd>}
    </button>
  )
}
