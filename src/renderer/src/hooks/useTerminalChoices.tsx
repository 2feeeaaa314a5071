import { useEffect, useState } from 'react'
import type { TerminalSession, WorkspaceKey } from '../../../shared/terminal'
import { goTo } from '../actions/goToTerminal'
import type { Choice } from '../components/Chooser'
import { StateMark } from '../components/StateMark'
import { markOf, useActivity } from '../stores/activity'
import { arrangement } from '../stores/views'
import { folderName, workspaceId } from '../stores/workspaceId'
import { useWorkspaces } from '../stores/workspaces'
import { strings } from '../strings'
import { displayText } from '../terminal/displayText'
import { useBridge } from './useBridge'

interface Found {
  workspace: WorkspaceKey
  terminal: TerminalSession
}

/** Every terminal of every workspace to go to, those of this workspace first; undefined until they are known. */
export function useTerminalChoices(onChosen: () => void): Choice[] | undefined {
  const found = useAllTerminals()
  const { byId, seen } = useActivity()
  return found?.map(({ workspace, terminal }) => ({
    id: terminal.id,
    title: displayText(terminal.name),
    detail: strings.workspaceName(displayText(folderName(workspace.project)), displayText(workspace.session)),
    mark: <StateMark mark={markOf(terminal, byId[terminal.id], seen[terminal.id])} />,
    choose: () => {
      goTo(workspace, terminal.id)
      onChosen()
    }
  }))
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
      const age = (terminal: TerminalSession) => ageOf(terminal, recent, isChosen(workspace))
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

/** Used last, listed first; but the one that is looked at comes last: nobody wants to go where they are. */
function ageOf({ id }: TerminalSession, recent: readonly string[], isShown: boolean): number {
  const age = recent.indexOf(id)
  return age === -1 ? recent.length : isShown && age === 0 ? recent.length + 1 : age
}
