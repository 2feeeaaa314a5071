import { useEffect, useState } from 'react'
import type { TerminalSession, WorkspaceKey } from '../../../shared/terminal'
import { goTo } from '../actions/goToTerminal'
import { useBridge } from '../hooks/useBridge'
import { markOf, useActivity } from '../stores/activity'
import { closeOverlay } from '../stores/overlay'
import { arrangement } from '../stores/views'
import { folderName, workspaceId } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { Chooser } from './Chooser'
import { StateMark } from './StateMark'

interface Found {
  workspace: WorkspaceKey
  terminal: TerminalSession
}

/** Every terminal of every workspace, the ones of this workspace that were used last first. */
export function Switcher({ onChosen }: { onChosen(): void }) {
  const found = useAllTerminals()
  const { byId, seen } = useActivity()
  const choices = found?.map(({ workspace, terminal }) => ({
    id: terminal.id,
    title: displayText(terminal.name),
    detail: strings.workspaceName(displayText(folderName(workspace.project)), displayText(workspace.session)),
    mark: <StateMark mark={markOf(terminal, byId[terminal.id], seen[terminal.id])} />,
    choose: () => {
      goTo(workspace, terminal.id)
      onChosen()
    }
  }))
  const { loading, ...text } = strings.switcher
  return <Chooser {...text} nothing={choices ? text.nothing : loading} choices={choices ?? []} onClose={closeOverlay} />
}

function useAllTerminals(): Found[] | undefined {
  const bridge = useBridge()
  const [found, setFound] = useState<Found[]>()
  const chosen = useWorkspaces((state) => state.chosen)
  const list = useWorkspaces((state) => state.list)
  useEffect(() => {
    const workspaces = (list ?? []).map(({ project, session }) => ({ project, session }))
    const isChosen = (key: WorkspaceKey) => chosen !== undefined && workspaceId(key) === workspaceId(chosen)
    const ordered = workspaces.toSorted((one, other) => Number(isChosen(other)) - Number(isChosen(one)))
    const load = async (workspace: WorkspaceKey) => {
      const terminals = await bridge.listTerminals(workspace)
      const { recent } = arrangement(workspaceId(workspace))
      const age = ({ id }: TerminalSession) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
      const sorted = terminals.ok ? terminals.value.toSorted((one, other) => age(one) - age(other)) : []
      return sorted.map((terminal) => ({ workspace, terminal }))
    }
    let isWanted = true
    void Promise.all(ordered.map(load)).then((lists) => isWanted && setFound(lists.flat()))
    return () => {
      isWanted = false
    }
  }, [bridge, list, chosen])
  return found
}
