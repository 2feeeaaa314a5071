import { useEffect, useState } from 'react'
import type { TerminalSession, WorkspaceKey } from '../../../shared/terminal'
import { coalesced } from '../stores/coalesced'
import { useConnection } from '../stores/connection'
import { useTerminals } from '../stores/terminals'
import { workspaceId } from '../stores/workspaceId'
import { useBridge } from './useBridge'

const NONE: TerminalSession[] = []

/** The terminals of a session in their order: as its tabs show them, or, for one that is not looked at, as the host says. */
export function useSessionTerminals({ project, session }: WorkspaceKey, isChosen: boolean): TerminalSession[] {
  const bridge = useBridge()
  const connected = useConnection(({ state }) => state === 'connected')
  const shown = useTerminals(({ byWorkspace }) => byWorkspace[workspaceId({ project, session })]?.tabs)
  const [listed, setListed] = useState<TerminalSession[]>()
  useEffect(() => {
    if (isChosen || !connected) return
    const refresh = coalesced(async () => {
      const answer = await bridge.listTerminals({ project, session })
      if (answer.ok) setListed(answer.value.toSorted((left, right) => left.order - right.order))
    })
    void refresh()
    return bridge.on('workspaceChanged', (changed) => {
      if (changed.project === project && changed.session === session) void refresh()
    })
  }, [bridge, connected, isChosen, project, session])
  return (isChosen ? shown : (listed ?? shown)) ?? NONE
}
